# Sourced by `run`, `dev` and `test`: installs what a build needs, reads the settings, and builds.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }

# Prints one clear line that says what to do, and ends.
stop() {
    printf '%s\n' "$*" >&2
    exit 1
}

# What a build needs: a linker and C headers, the libraries that the site links with, git to fetch Swift packages, the
# programs that compress the style sheet, and those that make pictures.
packages=(
    git ca-certificates g++ binutils pkg-config
    libsqlite3-dev libargon2-dev libqrencode-dev libdeflate-dev libcurl4-openssl-dev libpq-dev tzdata
    gzip brotli
    libvips-tools util-linux
)

# Stops if Swift is missing or too old, before anything is installed.
need_swift() {
    command -v swift >/dev/null ||
        stop "Swift is missing. Install 6.2 or later (https://www.swift.org/install/linux), then run this again."
    # A minimal Swift may lack what its own package manager needs.
    swift build --version >/dev/null 2>&1 || packages+=(libncurses-dev libxml2-dev)
    local version
    version=$(swift_version)
    [[ -z $version ]] || is_new_enough "$version" ||
        stop "Swift $version is too old for Village. Install 6.2 or later (https://www.swift.org/install/linux)."
}

# The version of `swift`, such as 6.3.1; empty when it can't start.
swift_version() {
    { swift --version 2>/dev/null || true; } | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+[0-9.]*).*/\1/p' | head -n 1
}

is_new_enough() {
    local major minor
    IFS=. read -r major minor _ <<<"$1"
    ((major > 6 || (major == 6 && minor >= 2)))
}

# Installs the named Debian packages that are missing, and says so. Does nothing if all are installed.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "This is not Debian or Ubuntu. If the next steps fail, install what these packages hold there: $*"
        return
    fi
    local package missing=() as_root=()
    for package in "$@"; do
        [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed* ]] ||
            missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            stop "Packages are missing. As root: apt-get install --no-install-recommends ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing ${missing[*]} ${as_root[*]:+(with sudo)}"
    local log
    log=$(
        {
            "${as_root[@]}" apt-get update -q &&
                "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
                    apt-get install -q -y --no-install-recommends "${missing[@]}"
        } 2>&1 </dev/null
    ) || stop "$log"$'\n'"The packages could not be installed: ${missing[*]}"
}

# Does everything up to a working Swift. A script adds to `packages` first.
prepare() {
    need_swift
    need_packages "${packages[@]}"
    [[ -n $(swift_version) ]] || stop "'swift --version' fails. Look at what it says, and install Swift anew."
}

# The program reads its settings itself. If neither they nor the environment name the data folder, it is the one next to
# the program, no matter where this is called from.
use_data() {
    local file
    [[ -z ${VILLAGE_DATA:-} ]] || return 0
    for file in "${VILLAGE_SETTINGS:-$root/deploy/settings.env}" /etc/village/settings.env; do
        ! grep -qs '^VILLAGE_DATA=.' "$file" || return 0
    done
    export VILLAGE_DATA=$root/data
}

# Whether the toolchain brings Swift's own libraries along for programs to link them in.
has_static_libraries() {
    local libraries
    libraries=$(swift -print-target-info 2>/dev/null | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static/p')
    [[ -e $libraries/linux/libFoundation.a && -e $libraries/linux/lib_FoundationICU.a ]]
}

# Stops if a program doesn't know countries and time zones. A linker that left ICU out, because nothing calls it by
# name, would say nothing, and every zone would be GMT.
try_out() {
    local said
    said=$(
        env -i PATH="$PATH" VILLAGE_SETTINGS=/dev/null VILLAGE_DATA="$(mktemp --directory --dry-run)" \
            VILLAGE_COUNTRY=DE VILLAGE_TIME_ZONE=America/Los_Angeles "$1" check 2>&1 || true
    )
    [[ $said == *"time zone: America/Los_Angeles"* ]] || stop "The program that was built knows no time zones: $said"
}

# `swift build` with these flags. On a terminal, its output is shown as it is; elsewhere, only every hundredth step and
# everything that isn't a step. In CI the compiler writes neither an index nor what a debugger needs, which takes a
# quarter of its time for the tests. Switching between builds with and without them would recompile everything, so all
# builds of a run do the same.
build() {
    [[ -z ${CI:-} ]] || set -- --disable-index-store -debug-info-format none "$@"
    # Swift's own libraries become a part of the program as it is released, which then starts sooner and calls them
    # faster. Nobody looks its symbols up by name, so it needs no table of them either.
    if [[ " $* " == *" release "* ]] && has_static_libraries; then
        set -- --static-swift-stdlib -Xlinker --no-export-dynamic "$@"
    fi
    if [[ -t 1 ]]; then
        swift build --package-path "$root" "$@"
    else
        swift build --package-path "$root" "$@" 2>&1 |
            awk '/^(Fetch|Comput|Creating working copy|Working copy)/ { next }
                !/^\[[0-9]+\/[0-9]+\] / || ++steps % 100 == 0 { print; fflush() }'
    fi
}

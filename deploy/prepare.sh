# Sourced by `run`, `dev` and `test`: what a build needs on this machine, the settings, and the build itself.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }

# One clear line that says what to do, and the end.
stop() {
    printf '%s\n' "$*" >&2
    exit 1
}

# What a build needs: a linker and C headers, the libraries the site links with, git for the Swift packages it is made
# of, what packs the style sheet, and what pictures are made by.
packages=(
    git ca-certificates g++ binutils pkg-config
    libsqlite3-dev libargon2-dev libqrencode-dev libdeflate-dev libcurl4-openssl-dev libpq-dev tzdata
    gzip brotli
    libvips-tools util-linux
)

# Refuses a Swift that is missing or too old, before anything is installed.
need_swift() {
    command -v swift >/dev/null ||
        stop "Swift is missing. Install 6.2 or later (https://www.swift.org/install/linux), then run this again."
    # A bare Swift may lack what its own package manager needs.
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

# Installs those of the named Debian packages that are missing, and says so; does nothing when all are there.
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

# Everything up to a working Swift: a script adds to `packages` before.
prepare() {
    need_swift
    need_packages "${packages[@]}"
    [[ -n $(swift_version) ]] || stop "'swift --version' fails. Look at what it says, and install Swift anew."
}

# The program reads its settings itself; where neither they nor the environment name the folder of the data, it is the
# one beside the program, wherever this is called.
use_data() {
    local file
    [[ -z ${VILLAGE_DATA:-} ]] || return 0
    for file in "${VILLAGE_SETTINGS:-$root/deploy/settings.env}" /etc/village/settings.env; do
        ! grep -qs '^VILLAGE_DATA=.' "$file" || return 0
    done
    export VILLAGE_DATA=$root/data
}

# `swift build` with these flags: as it is on a terminal; elsewhere every hundredth step, and all that is no step. In CI
# the compiler writes no index: with it and without, everything is compiled anew, so all builds of a run agree.
build() {
    [[ -z ${CI:-} ]] || set -- --disable-index-store "$@"
    if [[ -t 1 ]]; then
        swift build --package-path "$root" "$@"
    else
        swift build --package-path "$root" "$@" 2>&1 |
            awk '/^(Fetch|Comput|Creating working copy|Working copy)/ { next }
                !/^\[[0-9]+\/[0-9]+\] / || ++steps % 100 == 0 { print; fflush() }'
    fi
}

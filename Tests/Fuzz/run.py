#!/usr/bin/env python3
"""Feeds libFuzzer's inputs to everything that reads what strangers wrote, and closes with `N passed, N failed`.

    .venv/bin/python Tests/Fuzz/run.py [--seconds N | --runs N] [TARGET …]

A minute for each target, or for the named ones, unless said otherwise. libFuzzer changes the inputs that a target begins
with, and keeps those that reach something new: they stay in .build/fuzz/inputs, so that the next run goes on from there.
An input that breaks something is written to .build/fuzz/found and named.

The sources are compiled by swiftc itself: SwiftPM would build every dependency, sanitized too, for the few files that
read. Those of the site need neither server nor database.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / ".build" / "fuzz"
SITE = """
    Account CommonPasswords Hat Session
    Amenity Event EventFilter Plan Motif Tag
    Coordinate Distance Gazetteer Place
    Family Provider CareNote
    ByteReader Picture PictureHeader PictureProblem WebP
    Address Base64URL Country Currency Day Formats ID Instant Money PhoneNumber TimeOfDay Typed TypedDay TypedTime
    Unread Zone
    Commas Folding LocalTime NonEmpty
    CalendarLines CalendarReader CalendarTime CalendarZones ForeignTable ForeignText ICalendar ImportedCalendar
    InvitationList RecurrenceRule SheetReader WindowsZone
    Cookie
""".split()
ENVIRONMENT = os.environ | {
    # A stack for every allocation takes most of the time, and tells nothing about a trap.
    "ASAN_OPTIONS": "quarantine_size_mb=8:malloc_context_size=0",
    "SWIFT_BACKTRACE": "enable=no",
}


def compile_target():
    """Compiles the readers and the program that libFuzzer is part of."""
    sources = ROOT / "Sources"
    modules = {
        name: [path for path in sorted((sources / name).glob("*.swift")) if path.name != "main.swift"]
        for name in ("Domains", "Forms", "Templating", "TemplateCompiler")
    }
    modules["App"] = [path for name in SITE for path in (sources / "App").rglob(f"{name}.swift")]
    features = re.findall(r'enableUpcomingFeature\("(\w+)"\)', (ROOT / "Package.swift").read_text())
    swiftc = ["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-enable-testing", "-I", OUT]
    swiftc += [word for name in features for word in ("-enable-upcoming-feature", name)]
    objects = [OUT / f"{name}.o" for name in modules]
    for name, files in modules.items():
        to = ["-emit-module", "-emit-object", "-module-name", name, "-o", OUT / f"{name}.o"]
        subprocess.run([*swiftc, "-sanitize=fuzzer,address", *to, *files], cwd=OUT, check=True)
    # What checks is not looked into: only a reader's own branches count as something new.
    checks = [HERE / "LibFuzzer.swift", *sorted((HERE / "Targets").glob("*.swift"))]
    to = ["-emit-object", "-module-name", "Fuzz", "-o", OUT / "Fuzz.o"]
    subprocess.run([*swiftc, "-sanitize=address", *to, *checks], cwd=OUT, check=True)
    # gold would print a line for each function of the sanitizer that isn't the program's to export.
    linked = ["-sanitize=fuzzer,address", "-use-ld=lld", "-o", OUT / "fuzz"]
    subprocess.run(["swiftc", *linked, OUT / "Fuzz.o", *objects], cwd=OUT, check=True)


def fuzz(name, limit):
    """Runs one target; gives its figures, and whether everything held."""
    seeds, inputs = OUT / "seeds" / name, OUT / "inputs" / name
    inputs.mkdir(parents=True, exist_ok=True)
    longest = max(path.stat().st_size for path in seeds.iterdir()) + 16
    began = time.monotonic()
    done = subprocess.run(
        [
            *(OUT / "fuzz", limit, f"-max_len={longest}", f"-dict={seeds}.words", "-timeout=300"),
            *("-print_final_stats=1", f"-artifact_prefix={OUT / 'found' / name}-", inputs, seeds),
        ],
        env=ENVIRONMENT | {"FUZZ_TARGET": name},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    seconds = time.monotonic() - began
    log = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        lines = [line for line in log.splitlines() if "Fatal error" in line or "ERROR" in line or "Test unit" in line]
        return "\n    ".join(["FAILED", *lines]), False
    runs = int(re.search(r"stat::number_of_executed_units: (\d+)", log)[1])
    edges, features, kept = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", log)[-1]
    rate = round(runs / max(seconds, 1))
    return f"{runs} runs in {seconds:.0f} s ({rate}/s), {edges} edges, {features} features, {kept} inputs kept", True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=int, default=60, help="for each target (default 60)")
    limit.add_argument("--runs", type=int, help="for each target, however long they take")
    options = parser.parse_args()
    (OUT / "found").mkdir(parents=True, exist_ok=True)
    print("Compiling what is read by the site, with libFuzzer and the address sanitizer", flush=True)
    compile_target()
    subprocess.run([OUT / "fuzz"], env=ENVIRONMENT | {"FUZZ_SEEDS": str(OUT / "seeds")}, check=True)
    names = sorted(path.stem for path in (OUT / "seeds").glob("*.words"))
    if unknown := set(options.targets) - set(names):
        raise SystemExit(f"There is no target {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    limit = f"-runs={options.runs}" if options.runs else f"-max_total_time={options.seconds}"
    passed = failed = 0
    for name in options.targets or names:
        figures, held = fuzz(name, limit)
        passed, failed = passed + held, failed + (not held)
        print(f"{name}: {figures}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Puts the real program under strain, proof by proof, and closes with `N passed, N failed`.

    .venv/bin/python Tests/Long/run.py [NAME …]     all proofs, or those of the named files: race kill disk …

A proof is a function that raises when it does not hold, and gives its figures as one line otherwise. The table that the
run prints at its end is the one in Tests/README.md. The program is VILLAGE_PROGRAM, else the newest one built here.
"""

import importlib
import sys
import time
import traceback
from pathlib import Path

from site_under_test import program

HERE = Path(__file__).resolve().parent
NAMES = [path.stem for path in sorted(HERE.glob("prove_*.py"))]


def main(wanted):
    print(f"Testing {program()}", flush=True)
    rows, failed = [], 0
    for name in NAMES:
        if wanted and name.removeprefix("prove_") not in wanted:
            continue
        for proof in importlib.import_module(name).PROOFS:
            began = time.monotonic()
            try:
                figures = proof()
            except Exception:  # noqa: BLE001: whatever goes wrong, the other proofs still run
                failed += 1
                figures = "FAILED"
                traceback.print_exc()
            print(f"{proof.__doc__.splitlines()[0]}  {figures}  ({time.monotonic() - began:.0f} s)", flush=True)
            rows.append((proof.__doc__.splitlines()[0], figures))
    print("\n| what holds | figures |\n|---|---|")
    for sentence, figures in rows:
        print(f"| {sentence} | {figures} |")
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main(set(sys.argv[1:])))

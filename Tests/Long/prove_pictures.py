"""Whatever is sent as a picture: the site answers, stays, and nothing is left of it."""

import os
import random
import re
import socket
import struct
import subprocess
import tempfile
import threading
import zlib
from collections import Counter
from pathlib import Path

from crowd import expect
from site_under_test import ROOT, Site, Visitor

UPLOADS = int(os.environ.get("VILLAGE_UPLOADS", 20_000))
SMALL = ROOT / "Tests/AppTests/Pictures"
# A film as phones write it behind a photo: the box that says what it is, and what nobody reads.
FILM = struct.pack(">I4s4sI4s", 24, b"ftyp", b"mp42", 0, b"mp42") + struct.pack(">I4s", 400_000, b"mdat") + bytes(400_000)


def chunk(kind, content):
    """A chunk of a PNG, with its checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height, rows, extra=b""):
    """A gray PNG of 8 bits."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + extra + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def flat(width, height):
    """The rows of a picture of one colour."""
    row, pack = bytes(width + 1), zlib.compressobj(9)
    times = max(1, (1 << 20) // len(row))
    parts = [pack.compress(row * min(times, height - done)) for done in range(0, height, times)]
    return b"".join(parts) + pack.flush()


def animated(frames):
    """An APNG: the same small picture many times."""
    rows = flat(60, 40)
    control = struct.pack(">IIIIIHHBB", 0, 60, 40, 0, 0, 1, 10, 0, 0)
    more = b"".join(
        chunk(b"fcTL", struct.pack(">I", 2 * n + 1) + control[4:]) + chunk(b"fdAT", struct.pack(">I", 2 * n + 2) + rows)
        for n in range(frames)
    )
    first = chunk(b"acTL", struct.pack(">II", frames + 1, 0)) + chunk(b"fcTL", control)
    whole = png(60, 40, rows, first)
    return whole[:-12] + more + whole[-12:]


def photos():
    """Photos of a phone's size and detail, made by libvips, beside the small pictures of the tests."""
    with tempfile.TemporaryDirectory() as folder:
        noise = f"{folder}/noise.v"
        subprocess.run(["vips", "gaussnoise", noise, "1200", "900", "--sigma", "30", "--mean", "128"], check=True)
        for name in ("photo.jpg[Q=85]", "progressive.jpg[Q=70,interlace]", "noise.png", "laced.png[interlace]", "n.webp"):
            subprocess.run(["vips", "copy", noise, f"{folder}/{name}"], check=True)
        made = [path.read_bytes() for path in sorted(Path(folder).iterdir()) if path.suffix != ".v"]
    # Most are small: they take the same way in a tenth of the time.
    return made + 5 * [path.read_bytes() for path in sorted(SMALL.iterdir()) if path.name != "wide.webp"]


def spoil(picture, dice):
    """A picture as careless and evil hands leave it."""
    kind = dice.randrange(7)
    if kind == 0:
        return picture[: dice.randrange(len(picture))]
    if kind == 1:
        return picture + bytes(dice.randrange(3 << 20))
    if kind == 2:
        return picture + FILM
    if kind == 3:
        changed = bytearray(picture)
        for _ in range(dice.randint(1, 20)):
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
        return bytes(changed) + bytes(dice.choice((0, 0, 500_000)))
    if kind == 4:
        cut = dice.randrange(len(picture))
        return picture[:cut] + dice.randbytes(200_000)
    if kind == 5:
        cut = dice.randrange(len(picture))
        return picture[:cut] + picture[dice.randrange(len(picture)) :]
    # Unlike any other, so that it is decoded and not found.
    return picture + dice.randbytes(8)


def body(visitor, picture):
    mark = "village-mark"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{visitor.csrf}\r\n'
    head += f'--{mark}\r\nContent-Disposition: form-data; name="image"; filename="p"\r\nContent-Type: image/jpeg\r\n\r\n'
    return head.encode() + picture + f"\r\n--{mark}--\r\n".encode()


def send(visitor, picture):
    """Sends a picture as a script of the page would; gives the answer."""
    fields = {
        "Content-Type": "multipart/form-data; boundary=village-mark",
        "Sec-Fetch-Site": "same-origin",
        "Accept": "application/json",
    }
    return visitor.send("POST", "/images", body(visitor, picture), fields)


def descriptors(site):
    return len(os.listdir(f"/proc/{site.pid}/fd"))


def children(site):
    tasks = Path(f"/proc/{site.pid}/task").iterdir()
    return [child for task in tasks for child in (task / "children").read_text().split()]


def uploads():
    """20,000 uploads, real and spoilt: no answer of ours to blame, no process, file or descriptor left"""
    originals = photos()
    rare = [
        animated(3), animated(400), png(1, 50_000_000, flat(1, 50_000_000)), png(50_000_000, 1, flat(50_000_000, 1)),
        png(7_000, 7_000, flat(7_000, 7_000)), png(60, 40, b"no rows" * 40_000), png(60, 40, flat(60, 40)[:-9]) + FILM,
    ]
    with Site() as site:
        site.run("seed", "--providers", 2)
        site.start()
        temporary = Path(tempfile.gettempdir())
        before = set(temporary.glob("village-*-*-*-*"))
        visitors = [Visitor(site, timeout=120).log_in(f"provider-{number}") for number in (1, 2)]
        expect(send(visitors[0], originals[0] + FILM).status == 200, "A photo with a film behind it is refused.")
        open_before = descriptors(site)
        counts, others = Counter(), []

        def work(visitor, number):
            dice = random.Random(number)
            for turn in range(UPLOADS // 2):
                picture = dice.choice(rare) if turn % 500 == 499 else spoil(dice.choice(originals), dice)
                answer = send(visitor, picture)
                counts[answer.status] += 1
                if answer.status not in (200, 422):
                    others.append(f"{answer.status} for {len(picture)} bytes: {answer.text[:200]}")

        crew = [threading.Thread(target=work, args=(visitor, number)) for number, visitor in enumerate(visitors)]
        for worker in crew:
            worker.start()
        for worker in crew:
            worker.join()
        expect(sum(counts.values()) == UPLOADS // 2 * 2, f"Only {sum(counts.values())} were answered:\n{site.logged()}")
        expect(not others, "\n".join(others[:20]))
        expect(not children(site), f"Processes are left: {children(site)}")
        expect(descriptors(site) <= open_before + 2, f"{open_before} descriptors grew to {descriptors(site)}.")
        left = set(temporary.glob("village-*-*-*-*")) - before
        expect(not left, f"Files are left: {left}")
        expect(Visitor(site).get("/readyz").status == 200, "The site isn't ready.")
        peak = site.memory(peak=True)
    return f"{counts[200]} taken, {counts[422]} refused with a sentence; {peak:.0f} MB at most"


def welcomed(guest):
    """Whether somebody was answered and not turned away at the door."""
    try:
        return b" 200 " in guest.recv(1 << 12)
    except ConnectionError:
        return False


def crowded():
    """As many connections as may be: the site keeps files for itself, and pictures are taken all the while"""
    photo = (SMALL / "photo.jpg").read_bytes()
    guests = []
    with Site(wrap=["prlimit", "--nofile=200:200"]) as site:
        site.run("seed", "--providers", 1)
        site.start()
        visitor = Visitor(site).log_in("provider-1")
        for number in range(240):
            guest = socket.create_connection(("127.0.0.1", site.port), 5, (f"127.0.0.{2 + number // 50}", 0))
            guest.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            guests.append(guest)
            if number % 20 == 0:
                answer = send(visitor, photo + bytes([number]))
                expect(answer.status == 200, f"With {number} guests: {answer.status} {answer.text[:300]}")
        refused = sum(not welcomed(guest) for guest in guests)
        expect(refused > 100, f"Only {refused} of 240 guests were refused.")
        for guest in guests:
            guest.close()
    return f"240 guests, {refused} of them refused, 12 pictures taken"


PROOFS = [uploads, crowded]

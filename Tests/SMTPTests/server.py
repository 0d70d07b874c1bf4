"""A real mail server (aiosmtpd) that also refuses, hangs, and dies: what it does stands in the file `mode`.

server.py FOLDER [--user NAME PASSWORD] [--tls CERTIFICATE KEY]   prints its port, keeps each letter in FOLDER.
"""

import argparse
import asyncio
import json
import os
import ssl
import sys
from email import message_from_bytes, policy
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult

options = argparse.ArgumentParser()
options.add_argument("folder", type=Path)
options.add_argument("--user", nargs=2)
options.add_argument("--tls", nargs=2)
options.add_argument("--port", type=int, default=0)
options = options.parse_args()
kept = 0


def mode(to=""):
    """What to do now; `mode` may name an address that it is about: `550-rcpt ana@example.org`."""
    path = options.folder / "mode"
    words = path.read_text().split() if path.exists() else []
    return words[0] if words and (len(words) == 1 or to in words[1:]) else "accept"


def keep(envelope):
    global kept
    kept += 1
    name = options.folder / f"{kept:06}"
    message = message_from_bytes(envelope.content, policy=policy.default)
    body = {part: message.get_body((part,)) for part in ("plain", "html")}
    facts = {
        "from": envelope.mail_from, "to": envelope.rcpt_tos,
        "headers": [[key, str(value)] for key, value in message.items()],
        "text": body["plain"].get_content().replace("\r\n", "\n") if body["plain"] else "",
        "html": body["html"].get_content().replace("\r\n", "\n") if body["html"] else "",
        "files": [
            {"name": file.get_filename(), "type": file.get_content_type(), "text": file.get_content()}
            for file in message.walk() if file.get_filename() and file.get_content_maintype() == "text"
        ],
        "longest": max(map(len, envelope.content.splitlines()), default=0),
    }
    name.with_suffix(".json").write_text(json.dumps(facts))
    name.with_suffix(".tmp").write_bytes(envelope.content)
    name.with_suffix(".tmp").rename(name.with_suffix(".eml"))


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, mail_options):
        if mode() == "553-mail":
            return "553 you are not allowed to send as this"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if mode(address).endswith("-rcpt"):
            return f"{mode(address)[:3]} not this one"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        now = mode(envelope.rcpt_tos[0])
        if now.endswith("-data"):
            return f"{now[:3]} not this letter"
        if now == "hang":
            await asyncio.sleep(3600)
        keep(envelope)
        if now == "die-after":
            server.transport.abort()
        return f"250 kept as {kept}"


class Server(SMTP):
    async def smtp_DATA(self, arg):
        if self.envelope.rcpt_tos and mode(self.envelope.rcpt_tos[0]) == "die-within":
            await self.push("354 go on")
            await self._reader.readline()
            self.transport.abort()
            return
        await super().smtp_DATA(arg)

    async def _handle_client(self):
        if mode() == "silent":
            await asyncio.sleep(3600)
        await super()._handle_client()


def is_right(server, session, envelope, mechanism, data):
    right = [part.encode() for part in options.user]
    return AuthResult(success=[data.login, data.password] == right)


async def main():
    extra = {}
    if options.user:
        extra |= dict(authenticator=is_right, auth_required=True, auth_require_tls=bool(options.tls))
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        extra |= dict(tls_context=context, require_starttls=True)
    server = await asyncio.get_running_loop().create_server(
        lambda: Server(Handler(), hostname="mail.test", **extra), "127.0.0.1", options.port)
    print(server.sockets[0].getsockname()[1], flush=True)
    # The test that started it ends, and with it the pipe.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


# Clients that it keeps waiting are left.
asyncio.new_event_loop().run_until_complete(main())
os._exit(0)

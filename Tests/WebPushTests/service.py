"""A push service on loopback, as a browser's maker runs one, with the browsers behind it.

    service.py FOLDER COUNT

FOLDER/subscriptions.json says what COUNT browsers say of themselves. Each push that comes is decrypted by http_ece, and
its signature checked by cryptography; what was in it becomes a line of FOLDER/pushes.jsonl. FOLDER/mode says what the
service answers from now on: a status, and a Retry-After; 0 is no answer at all.
"""
import base64
import http.server
import json
import os
import sys
import threading

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

FOLDER, COUNT = sys.argv[1], int(sys.argv[2])
LOCK = threading.Lock()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed_claims(line):
    """The claims of an Authorization header, if its signature is good."""
    scheme, rest = line.split(" ", 1)
    assert scheme == "vapid", scheme
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = decoded(signature)
    assert len(raw) == 64
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    both = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(both, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decoded(claims)), parts["k"]


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, pause = self.take(body)
        if status == 0:
            threading.Event().wait()
        self.send_response(status)
        if pause:
            self.send_header("Retry-After", pause)
        if status == 307:
            self.send_header("Location", f"{ORIGIN}/push/0")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def take(self, body):
        try:
            with open(f"{FOLDER}/mode") as file:
                mode = file.read().split()
        except FileNotFoundError:
            mode = ["201"]
        number = int(self.path.rsplit("/", 1)[1])
        key, secret = BROWSERS[number]
        try:
            claims, signer = signed_claims(self.headers["Authorization"])
            assert claims["aud"] == ORIGIN and 0 < claims["exp"] and claims["sub"], claims
            assert self.headers["Content-Encoding"] == "aes128gcm" and len(body) <= 4096
            text = http_ece.decrypt(body, private_key=key, auth_secret=secret, version="aes128gcm")
            topic = self.headers["Topic"]
            assert len(topic) <= 32 and decoded(topic)
        except Exception as problem:  # any of them is our fault
            print("refused:", repr(problem), file=sys.stderr, flush=True)
            return 401, None
        line = {
            "browser": number, "status": int(mode[0]), "text": json.loads(text), "lifetime": int(self.headers["TTL"]),
            "urgency": self.headers["Urgency"], "topic": topic, "contact": claims["sub"], "expires": claims["exp"],
            "signer": signer, "size": len(body),
        }
        with LOCK, open(f"{FOLDER}/pushes.jsonl", "a") as file:
            file.write(json.dumps(line) + "\n")
        return int(mode[0]), mode[1] if len(mode) > 1 else None

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True


def browser():
    return ec.generate_private_key(ec.SECP256R1()), os.urandom(16)


def leave():
    sys.stdin.read()
    os._exit(0)


BROWSERS = [browser() for _ in range(COUNT)]
server = Server(("127.0.0.1", 0), Service)
ORIGIN = f"http://127.0.0.1:{server.server_address[1]}"
POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
with open(f"{FOLDER}/subscriptions.json", "w") as file:
    json.dump([
        {"endpoint": f"{ORIGIN}/push/{number}", "key": encoded(key.public_key().public_bytes(*POINT)),
         "secret": encoded(secret)}
        for number, (key, secret) in enumerate(BROWSERS)
    ], file)
threading.Thread(target=leave, daemon=True).start()
print("ready", flush=True)
server.serve_forever()

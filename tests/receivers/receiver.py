"""Takes one webhook request, verifies it as a receiver in Python would, and says so."""

import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        with open("python.secret") as file:
            secret = file.read().strip()
        # Throws where it is not genuine.
        event = Webhook(secret).verify(body, dict(self.headers))
        event = json.loads(body) if event is None else event
        self.send_response(204)
        self.end_headers()
        print(f"verified in Python: {event['name']} {event['data']['id']}", flush=True)
        os._exit(0)


server = HTTPServer(("127.0.0.1", 0), Receiver)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()

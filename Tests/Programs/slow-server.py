"""An HTTP server on loopback that sends slowly, and loses connections: PORT FOLDER.

/RATE/LENGTH/TIMES/NAME sends the file NAME at RATE bytes a second (0: at once), and ends the first TIMES connections after
LENGTH bytes each. Ranges are answered, as downloads that go on ask for them.
"""
import http.server
import os
import re
import sys
import time

port, folder = int(sys.argv[1]), sys.argv[2]
lost = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_HEAD(self):
        self.send(False)

    def do_GET(self):
        self.send(True)

    def send(self, has_body):
        parts = self.path.split("/")
        path = os.path.join(folder, os.path.basename(self.path))
        if len(parts) < 5 or not os.path.isfile(path):
            return self.send_error(404)
        rate, length, times = (int(part) for part in parts[1:4])
        size = os.path.getsize(path)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start, end = 0, size
        if wanted:
            start = int(wanted[1])
            end = int(wanted[2]) + 1 if wanted[2] else size
            if start >= size:
                return self.send_error(416)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(end - start))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", '"1"')
        is_list = path.endswith(".mpd")
        self.send_header("Content-Type", "application/dash+xml" if is_list else "application/octet-stream")
        self.send_header("Content-Disposition", "attachment")
        self.end_headers()
        if not has_body:
            return
        lost[self.path] = lost.get(self.path, 0) + 1
        rest = length if lost[self.path] <= times else end
        with open(path, "rb") as file:
            file.seek(start)
            while start < end and rest > 0:
                piece = file.read(min(16_384, end - start, rest))
                try:
                    self.wfile.write(piece)
                except OSError:
                    break
                start += len(piece)
                rest -= len(piece)
                if rate:
                    time.sleep(len(piece) / rate)
        self.close_connection = True


http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()

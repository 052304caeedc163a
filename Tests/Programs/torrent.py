"""Writes a torrent of a file that an HTTP server has: FILE URL TORRENT."""
import hashlib
import os
import sys

path, url, torrent = sys.argv[1:]
length = 1 << 16


def encoded(value):
    if isinstance(value, dict):
        return b"d" + b"".join(encoded(key) + encoded(value[key]) for key in sorted(value)) + b"e"
    if isinstance(value, int):
        return b"i%de" % value
    value = value.encode() if isinstance(value, str) else value
    return b"%d:%s" % (len(value), value)


with open(path, "rb") as file:
    content = file.read()
pieces = b"".join(hashlib.sha1(content[at : at + length]).digest() for at in range(0, len(content), length))
info = {"length": len(content), "name": os.path.basename(path), "piece length": length, "pieces": pieces}
with open(torrent, "wb") as file:
    file.write(encoded({"info": info, "url-list": url}))

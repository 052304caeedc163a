#!/usr/bin/env python3
"""Counts the functions and files that one more document enters: what a change of a document's way has to be read for.

It builds inboxd with coverage into a folder of its own, lets a daemon file n documents and another n + 1, several times
each, and counts the functions that every run with n + 1 enters more often than any with n. Closures and accessors count
as functions.

    Tests/Coverage/one_more_document.py [--list] [SCRATCH]

The ways: a plain file; one from another filesystem (/dev/shm, which must not be that of TMPDIR); `undo`; one with a handler.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
# The toolchain's own: those of another version do not read what its programs write.
TOOLS = os.path.dirname(os.path.realpath(shutil.which("swift") or sys.exit("one_more_document: no swift")))
DOCUMENTS, RUNS, PATIENCE = 5, 3, 60


def build(scratch):
    for product in ("inboxd", "inboxctl"):
        subprocess.run(
            ["swift", "build", "--product", product, "--scratch-path", scratch,
             "-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping"],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(scratch, "debug")


class Daemon:
    """A daemon with folders of its own, whose counts are written when it ends."""

    def __init__(self, programs, profile, settings, inbox_parent=None):
        self.programs = programs
        self.folder = tempfile.TemporaryDirectory()
        self.other = tempfile.TemporaryDirectory(dir=inbox_parent) if inbox_parent else None
        place = self.folder.name
        self.documents = os.path.join(place, "Documents")
        self.inbox = os.path.join(self.other.name if self.other else self.documents, "Inbox")
        self.socket = os.path.join(place, "socket")
        self.history_path = os.path.join(place, "state", "history.jsonl")
        os.makedirs(self.documents)
        os.makedirs(self.inbox)
        self.environment = {"PATH": os.environ["PATH"], "HOME": place, "TZ": "UTC", "LLVM_PROFILE_FILE": profile}
        arguments = ["--documents", self.documents, "--inbox", self.inbox, "--state", os.path.join(place, "state"),
                     "--socket", self.socket]
        for setting in settings:
            arguments += ["--set", setting]
        self.process = subprocess.Popen(
            [os.path.join(programs, "inboxd")] + arguments, env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.wait(lambda: os.path.exists(self.socket), "the socket")

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"one_more_document: no {what}: {self.process.stderr.read() if self.process.poll() else ''}")
            time.sleep(0.02)

    def records(self, event):
        try:
            with open(self.history_path) as history:
                return [record for record in map(json.loads, history) if record["event"] == event]
        except FileNotFoundError:
            return []

    def file(self, count, event):
        for number in range(count):
            name = f"letter {number}.txt"
            part = os.path.join(self.inbox, "." + name)
            with open(part, "w") as file:
                file.write(f"letter {number}\n")
            os.rename(part, os.path.join(self.inbox, name))
            self.wait(lambda: len(self.records(event)) == number + 1, f"record of {name}")

    def undo(self, count):
        environment = dict(self.environment, LLVM_PROFILE_FILE="/dev/null")
        for record in self.records("filed")[:count]:
            subprocess.run([os.path.join(self.programs, "inboxctl"), "--socket", self.socket, "undo", record["id"]],
                           env=environment, check=True, stdout=subprocess.DEVNULL)

    def end(self):
        # What follows the last record, such as the end of the journal's entry, is done before it ends.
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()
        self.folder.cleanup()
        if self.other:
            self.other.cleanup()


def plain(daemon, count):
    daemon.file(count, "filed")


def handled(daemon, count):
    daemon.file(count, "handler")


def undone(daemon, count):
    daemon.file(DOCUMENTS + 1, "filed")
    daemon.undo(count)


HANDLER = ["DocumentType notes.ContentTypes=public.text", "DocumentType notes.Destination=Notes",
           "DocumentType notes.Run=/bin/true"]
WAYS = [
    ("plain", plain, [], None),
    ("from another filesystem", plain, [], "/dev/shm"),
    ("undo", undone, [], None),
    ("with a handler", handled, HANDLER, None),
]


def counts(programs, scratch, way, count):
    """The entries of each function in one run, by its name, and its file."""
    _, perform, settings, parent = way
    raw, data = os.path.join(scratch, "run.profraw"), os.path.join(scratch, "run.profdata")
    daemon = Daemon(programs, raw, ["Inbox.Settle=0"] + settings, parent)
    perform(daemon, count)
    daemon.end()
    subprocess.run([os.path.join(TOOLS, "llvm-profdata"), "merge", "-o", data, raw], check=True)
    export = subprocess.run([os.path.join(TOOLS, "llvm-cov"), "export", "--skip-expansions", "-instr-profile", data,
                             os.path.join(programs, "inboxd")], check=True, stdout=subprocess.PIPE)
    entered = {}
    for function in json.loads(export.stdout)["data"][0]["functions"]:
        entered[function["name"]] = (function["count"], os.path.relpath(function["filenames"][0], ROOT))
    return entered


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    scratch = words[0] if words else os.path.join(ROOT, ".build/coverage")
    programs = build(scratch)
    print(f"{'one more document':<26}{'functions':>10}{'files':>8}")
    for way in WAYS:
        few = [counts(programs, scratch, way, DOCUMENTS) for _ in range(RUNS)]
        more = [counts(programs, scratch, way, DOCUMENTS + 1) for _ in range(RUNS)]
        entered = {
            name: path for name, (_, path) in more[0].items()
            if min(run[name][0] for run in more if name in run) > max(run.get(name, (0, ""))[0] for run in few)}
        if not entered:
            sys.exit(f"one_more_document: {way[0]}: nothing was counted")
        print(f"{way[0]:<26}{len(entered):>10}{len(set(entered.values())):>8}", flush=True)
        if "--list" in sys.argv:
            for name, path in sorted(entered.items(), key=lambda item: (item[1], item[0])):
                print(f"    {path}: {name}")


main()

#!/usr/bin/env python3
"""An exhaustive model of the notes beside claimed sources (`Sources/InboxFiling/Staging/ClaimNotes.swift`).

Daemon A copies one document to another filesystem. It is killed, or the machine loses power, between any two steps. Daemon
B, which cannot read A's journal, may start first, or be running all the time; it enters A's staging folder when the lock is
free, and files whatever is in the Inbox. A starts again, before or after B, and recovers from its journal. B may be killed
too while it sweeps.

After a power cut the disk has a rename or has it not, or shows the file under both names, as btrfs does until both folders
are synced. A daemon that starts first may file the one name before it has swept the other, and cannot know of that: this is
not followed.

Prints the number of states, or the shortest way into a bad one: a document that is lost, two copies although nobody
interfered, another copy although one was recorded and taken away, two records, or something that stays staged. MUTATE=name
breaks one rule, to show that the model sees it:
no-notes, late-note, late-recorded, no-recovery-note, no-note-sync, no-claim-sync, no-name-sync, no-lock, no-second-name,
no-return-sync, filed-meanwhile.
"""
import collections
import itertools
import os

import exploration

BROKEN = os.environ.get("MUTATE", "")

# inbox, stage: whether the source is there; both where it has both names. twin: whether a return has given it a third one.
# copy: A's copy, "" or "made" (no name yet) or "named" or "taken" by somebody, or
# "gone": taken when a power cut has taken the note that it is recorded. other: B's copy, filed. note: "" or "claim" or "copied" or "recorded",
# or "cut" where a power cut has taken that. journal: "" or "claim" or "copied". a, b: the next step of each daemon.
# lock: who has the lock of A's staging folder. dirty: effects that no sync has reached; boots: interruptions that are left.
State = collections.namedtuple(
    "State", "inbox stage twin copy other note journal records_a records_b a b lock dirty boots")
START = State(True, False, False, "", False, "", "", 0, 0, "begin", "scan", "A", frozenset(), 2)


def go(state, dirty=(), clean=(), **changes):
    return state._replace(dirty=(state.dirty | set(dirty)) - set(clean), **changes)


def has_named_copy(state):
    return state.copy == "named"


def put_back(state, **changes):
    """The source returns under its old name, which may be its own still."""
    is_twin = state.inbox and BROKEN == "no-second-name"
    return go(state, inbox=True, stage=False, twin=state.twin or is_twin, dirty=["return"], **changes)


def step_a(state):
    """What A does next, or None."""
    pc = state.a
    if pc == "begin":
        if not state.inbox:
            return go(state, a="done", lock="" if state.lock == "A" else state.lock)
        if BROKEN != "no-lock" and state.lock not in ("", "A"):
            return None
        return go(state, a="claim", journal="claim", note="claim", lock="A", dirty=["note-name"])
    if pc == "claim":
        if not state.inbox:
            return go(state, a="end")
        return go(state, a="copy", inbox=False, stage=True, dirty=["claim"])
    if pc == "copy":
        return go(state, a="claim-sync", copy="made")
    if pc == "claim-sync":
        clean = [] if BROKEN == "no-claim-sync" else ["claim", "note-name"]
        return go(state, a="publish" if BROKEN == "late-note" else "note", clean=clean, journal="copied")
    if pc == "note":
        return go(state, a="note-sync", note="copied", dirty=["note"])
    if pc == "note-sync":
        return go(state, a="publish", clean=[] if BROKEN == "no-note-sync" else ["note"])
    if pc == "publish":
        return go(state, a="publish-sync", copy="named", dirty=["copy"])
    if pc == "publish-sync":
        return go(state, a="record" if BROKEN == "late-recorded" else "note-recorded", clean=["copy"])
    if pc == "note-recorded":
        # It is on no disk for certain.
        return go(state, a="remove" if state.records_a else "record", note="recorded", dirty=["note"])
    if pc == "record":
        later = "note-recorded" if BROKEN == "late-recorded" else "remove"
        return go(state, a=later, records_a=state.records_a + 1)
    if pc == "remove":
        return go(state, a="remove-sync", stage=False, dirty=["stage"])
    if pc == "remove-sync":
        return go(state, a="end", clean=["stage"])
    if pc == "end":
        return go(state, a="done", journal="", note="", copy=unnamed(state.copy),
                  lock="" if state.lock == "A" else state.lock)
    if pc == "recover":
        if BROKEN != "no-lock" and state.lock not in ("", "A"):
            return None
        state = state._replace(lock="A")
        if state.inbox and state.stage and (state.journal == "" or BROKEN == "filed-meanwhile"):
            # Nothing shows, or nobody asks, that the document in the Inbox is being inspected: it is filed meanwhile.
            return go(state, inbox=False, other=True, records_b=state.records_b + 1)
        if state.journal and state.records_a:
            return go(state, a="remove" if state.stage else "remove-sync")
        if state.journal == "copied" and has_named_copy(state):
            return go(state, a="recover-sync")
        # What no entry explains returns, too.
        return put_back(state, a="return-sync") if state.stage else go(state, a="return-end")
    if pc == "return-sync":
        return go(state, a="return-end", clean=[] if BROKEN == "no-return-sync" else ["return", "claim"])
    if pc == "return-end":
        return go(state, a="begin", note="", journal="")
    if pc == "recover-sync":
        return go(state, a="recover-record" if BROKEN == "no-recovery-note" else "recover-note", clean=["copy"])
    if pc == "recover-note":
        return go(state, a="recover-record", note="recorded", dirty=["note"])
    if pc == "recover-record":
        return go(state, a="remove" if state.stage else "remove-sync", records_a=state.records_a + 1)
    return None


def step_b(state):
    """What B does next, or None: it files what is in the Inbox, and sweeps A's staging folder when nobody has its lock."""
    if state.b == "scan":
        if state.inbox and not state.stage and state.a in ("off", "done", "recover"):
            return go(state, inbox=False, other=True, records_b=state.records_b + 1)
        if state.stage and (state.lock == "" or BROKEN == "no-lock"):
            return go(state, b="look", lock="B")
    if state.b == "look":
        if not state.stage:
            return go(state, b="clean")
        known = "" if BROKEN == "no-notes" else state.note
        if known == "recorded":
            return go(state, b="remove")
        if known in ("copied", "cut") and has_named_copy(state):
            return go(state, b="remove" if BROKEN == "no-name-sync" else "name-sync")
        return put_back(state, b="return-sync")
    if state.b == "return-sync":
        return go(state, b="clean", clean=["return", "claim"])
    if state.b == "name-sync":
        return go(state, b="remove", clean=["copy"])
    if state.b == "remove":
        return go(state, b="remove-sync", stage=False, dirty=["stage"])
    if state.b == "remove-sync":
        return go(state, b="clean", clean=["stage"])
    if state.b == "clean":
        return go(state, b="scan", note="", lock="" if state.lock == "B" else state.lock)
    return None


def interruptions(state):
    if not state.boots:
        return
    left = state._replace(boots=state.boots - 1)
    free = {"A": "", "B": "B", "": ""}[state.lock]
    if state.a not in ("off", "done"):
        yield "kill A", left._replace(a="off", lock=free, copy=unnamed(left.copy))
    if state.b not in ("scan", "off"):
        yield "kill B", left._replace(b="off", lock="" if state.lock == "B" else state.lock)
    for count in range(len(state.dirty) + 1):
        for lost in itertools.combinations(sorted(state.dirty), count):
            after = left._replace(a="off", b="off", lock="", dirty=frozenset(), copy=unnamed(left.copy))
            if "copy" in lost and after.copy == "named":
                after = after._replace(copy="")
            # Each rename that no sync has reached may be undone, or half done: then the file has both names.
            afters = [after]
            if "claim" in lost and after.stage:
                afters = [after._replace(inbox=True, stage=is_both) for is_both in (False, True)]
            if "return" in lost and after.inbox and not after.stage:
                afters = [after._replace(inbox=is_both, stage=True) for is_both in (False, True)]
            for after in afters:
                if "stage" in lost and not after.stage and not after.inbox:
                    after = after._replace(stage=True)
                if "note" in lost and after.copy == "taken":
                    after = after._replace(copy="gone")
                if "note" in lost and after.note in ("copied", "recorded"):
                    after = after._replace(note={"copied": "claim", "recorded": "cut"}[after.note])
                if "note-name" in lost:
                    after = after._replace(note="")
                yield "power", after


def unnamed(copy):
    """A copy without a name goes with its process."""
    return "" if copy == "made" else copy


def starts(state):
    if state.a == "off":
        yield "A starts", state._replace(a="recover")
    if state.b == "off":
        yield "B starts", state._replace(b="scan")


def fault(state):
    is_taken = state.copy in ("taken", "gone")
    if not (state.inbox or state.stage or state.copy == "named" or is_taken or state.other):
        return "the document is lost"
    if state.other and state.copy == "named":
        return "two copies"
    if state.twin or (state.other and state.inbox):
        return "a twin that a power cut has made"
    if state.other and state.copy == "taken" and state.records_a:
        return "filed again, though it was recorded"
    if state.a == "done" and state.b == "scan" and not state.inbox:
        if state.stage:
            return "something stays staged"
        if state.records_a + state.records_b != 1 and not is_taken:
            return "%d records" % (state.records_a + state.records_b)
    if state.records_a > 1:
        return "two records of one daemon"
    return None


def following(state):
    """What may happen next: in words, and the state that it leads to."""
    if has_named_copy(state):
        yield "somebody takes the copy", state._replace(copy="gone" if state.note == "cut" else "taken")
    for why, new in (("A: " + state.a, step_a(state)), ("B: " + state.b, step_b(state))):
        if new is not None:
            yield why, new
    yield from interruptions(state)
    yield from starts(state)


if __name__ == "__main__":
    exploration.run(START, fault, following)

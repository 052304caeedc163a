#!/usr/bin/env python3
"""An exhaustive model of a package's way to another filesystem by the claim protocol (`Sources/InboxFiling/Run`).

A package of two files is killed or loses power between any two steps, recovery too, and up to two things are done by
others meanwhile: a file of the claimed source is written through a descriptor, a file is moved into it through a
descriptor of its folder, the published copy is edited or moved away, a new package gets the old name.

What a power cut does to a renamed file on btrfs is in `notes_model.py`: a folder never has two names.

Prints the number of states, or the shortest way into a bad one. MUTATE=name breaks one rule, to show that the model sees
it: no-late-proof, no-manifest, no-compare, no-proven, no-sync, no-publish-sync, no-unlink-sync, early-journal-end.
"""
import collections
import itertools
import os

import exploration

BROKEN = os.environ.get("MUTATE", "")

# A folder is a frozenset of (name, content); None where there is no folder. Contents: "A" and "B" are the document's,
# "W" what a writer made of B, "C" a file that somebody moved in, "E" what somebody made of the published A, "N" another
# package, "torn" what no sync has reached.
#
# tmp: the unfinished copy; list: what the copy has noted of its source (None after a kill); journal: "" or "claim" or
# "copied"; records: how many; pc: the next step; dirty: effects that no sync has reached; must: contents that may not be lost.
State = collections.namedtuple(
    "State", "inbox other stage tmp list dest away journal records pc dirty hands boots must")

WHOLE = frozenset({("a", "A"), ("b", "B")})
START = State(WHOLE, None, None, None, None, None, None, "", 0, "claim", frozenset(), 2, 2, frozenset("AB"))


def go(state, pc, dirty=(), clean=(), **changes):
    return state._replace(pc=pc, dirty=(state.dirty | set(dirty)) - set(clean), **changes)


def put_back(state):
    """What is left of the source returns under its name, or beside what has it."""
    if not state.stage:
        return go(state, "end", stage=None, tmp=None)
    if state.inbox is None:
        return go(state, "end", inbox=state.stage, stage=None, tmp=None)
    return go(state, "end", other=state.stage, stage=None, tmp=None)


def step(state):
    """What the daemon does next."""
    pc = state.pc
    if pc == "claim":
        if state.inbox is None or state.inbox != WHOLE:
            return go(state, "idle")
        if state.journal == "":
            return go(state, "claim", journal="claim")
        return go(state, "copy", stage=state.inbox, inbox=None)
    if pc == "copy":
        return go(state, "sync", dirty=["tmp"], tmp=state.stage, list=state.stage)
    if pc == "sync":
        return go(state, "prove", clean=[] if BROKEN == "no-sync" else ["tmp"])
    if pc == "prove":
        if BROKEN != "no-late-proof" and state.stage != WHOLE:
            return put_back(state)
        return go(state, "publish", journal="copied")
    if pc == "publish":
        if state.dest is not None:
            return put_back(state)
        return go(state, "publish-sync", dirty=["dest"], dest=state.tmp, tmp=None)
    if pc == "publish-sync":
        return go(state, "record", clean=[] if BROKEN == "no-publish-sync" else ["dest"])
    if pc == "record":
        return go(state, "remove", records=state.records + 1)
    if pc == "remove":
        # Entry by entry, only what the list has and is still as it was; the rest returns with its folder.
        gone = state.stage if BROKEN == "no-manifest" else state.stage & state.list
        if gone:
            return go(state, "remove", dirty=["stage"], stage=state.stage - {sorted(gone)[0]})
        return put_back(state) if state.stage else go(state, "remove-sync", dirty=["stage"], stage=None)
    if pc == "remove-sync":
        return go(state, "end", clean=[] if BROKEN == "no-unlink-sync" else ["stage"])
    if pc == "end":
        return go(state, "idle", journal="")
    return recover(state)


def recover(state):
    """The next step of recovery, from what is on the disk alone."""
    if state.pc == "recover":
        if state.journal == "":
            return put_back(state) if state.stage is not None else go(state, "idle", tmp=None)
        published = state.dest is not None and "N" not in contents_of(state.dest)
        if state.records:
            return go(state, "compare") if state.stage is not None else go(state, "remove-sync")
        if state.journal == "copied" and published:
            return go(state, "recover-sync")
        return put_back(state) if state.stage is not None else go(state, "end", tmp=None)
    if state.pc == "recover-sync":
        return go(state, "recover-record", clean=["dest"])
    if state.pc == "recover-record":
        return go(state, "compare" if state.stage is not None else "end", records=state.records + 1)
    if state.pc == "compare":
        # The list went with the process. What is unchanged since the proof may go, by the journal's "entries", whatever the
        # owner of the published copy has made of that; and what the copy has too.
        copy = state.dest if state.dest is not None else frozenset()
        proven = WHOLE if BROKEN != "no-proven" or state.stage == WHOLE else frozenset()
        known = state.stage if BROKEN == "no-compare" else proven | copy
        gone = state.stage & known
        if gone:
            return go(state, "compare-rest", dirty=["stage"], list=known, stage=state.stage - {sorted(gone)[0]})
        return put_back(state) if state.stage else go(state, "remove-sync", dirty=["stage"], stage=None)
    if state.pc == "compare-rest":
        gone = state.stage & state.list
        if gone:
            return go(state, "compare-rest", stage=state.stage - {sorted(gone)[0]})
        return put_back(state) if state.stage else go(state, "remove-sync", dirty=["stage"], stage=None)
    return None


def contents_of(folder):
    return {content for _, content in folder} if folder else set()


def others(state):
    """What somebody else does."""
    if not state.hands:
        return
    if state.stage and ("b", "B") in state.stage:
        written = state.stage - {("b", "B")} | {("b", "W")}
        # Whoever overwrites a file gives its content up.
        yield state._replace(stage=written, must=state.must - {"B"} | {"W"})
    if state.stage is not None and "C" not in state.must:
        yield state._replace(stage=state.stage | {("c", "C")}, must=state.must | {"C"})
    if state.inbox is None:
        yield state._replace(inbox=frozenset({("a", "N")}))
    if state.dest and ("a", "A") in state.dest:
        edited = state.dest - {("a", "A")} | {("a", "E")}
        yield state._replace(dest=edited, must=state.must - {"A"} | {"E"})
    if state.dest and state.away is None and "N" not in contents_of(state.dest):
        yield state._replace(away=state.dest, dest=None)


def places(state):
    return [state.inbox, state.other, state.stage, state.dest, state.away]


def power(state):
    """Without power: each effect that no sync has reached is on the disk or not."""
    for count in range(len(state.dirty) + 1):
        for lost in itertools.combinations(sorted(state.dirty), count):
            after = state
            if "tmp" in lost and after.dest is not None:
                after = after._replace(dest=frozenset({("a", "torn")}))
            if "dest" in lost and after.dest is not None:
                # An edit that nobody has synced goes with the name: then the document itself must be there.
                must = after.must - {"E"} | {"A"} if "E" in after.must else after.must
                after = after._replace(dest=None, must=must)
            if "stage" in lost and "W" not in after.must and "C" not in after.must:
                after = after._replace(stage=WHOLE)
            yield after._replace(dirty=frozenset(), tmp=None)


def fault(state):
    """What is wrong with a state, in words; None where nothing is."""
    there = set().union(*(contents_of(folder) for folder in places(state)))
    if not state.must <= there:
        return "lost: " + ", ".join(sorted(state.must - there))
    if "torn" in contents_of(state.dest):
        return "a torn copy under its name"
    if "W" in contents_of(state.dest) and "E" not in state.must:
        return "published under a writer's hands"
    if state.records > 1:
        return "two records"
    if state.pc == "idle":
        if state.stage is not None:
            return "something stays staged"
        if state.dest is not None and state.records != 1:
            return "published, and %d records" % state.records
        if any(folder and folder < WHOLE for folder in (state.inbox, state.other)):
            return "remains of a copied package in the Inbox"
        if state.hands == 2 and sum("A" in contents_of(folder) for folder in places(state)) > 1:
            return "a twin though nobody interfered"
    return None


def following(state):
    """What may happen next: in words, and the state that it leads to."""
    new = step(state) if state.pc != "idle" else None
    if new is not None:
        if BROKEN == "early-journal-end" and new.pc == "remove":
            new = new._replace(journal="")
        yield state.pc, new
    for new in others(state):
        yield "somebody", new._replace(hands=state.hands - 1)
    if state.boots and (state.pc != "idle" or state.dirty):
        off = state._replace(boots=state.boots - 1, pc="recover", list=None)
        yield "kill", off
        for new in power(off):
            yield "power", new


if __name__ == "__main__":
    exploration.run(START, fault, following)

#!/usr/bin/env python3
"""An exhaustive model of two daemons on one Inbox and one filesystem (`Sources/InboxFiling/Staging/InboxSharing.swift`).

Each writes itself down on the Inbox, then asks whether another one is there. One that is alone moves the document by a
rename under its lease; after a kill its journal and the file at the destination are all that shows it. One that is not
copies the document, which it has claimed first. Either starts, is killed, ends or begins again at any step, a power cut
ends both, and each returns what the other has left in its staging folder.

Prints the number of states, or the shortest way into a bad one: a document that is lost, two copies, two records of it (a
handler runs for each), none, or something that stays staged. MUTATE=name breaks one rule, to show that the model sees it:
no-copy, no-join, late-join, no-join-sync, early-leave, no-notes.
"""
import collections
import itertools
import os

import exploration

BROKEN = os.environ.get("MUTATE", "")
NAMES = "AB"

# place: where the file itself is: "inbox", "A" or "B" (a staging folder), "there" (its destination), or "gone".
# copy: whose copy has the name at the destination, which is another file. joined: who is written down on the Inbox;
# dirty: who is not on the disk yet. daemons: the state of each. ends: kills, ends and power cuts that are left.
State = collections.namedtuple("State", "place copy joined dirty daemons ends")
# pc: its next step; copies: whether it knew of the other one when it last asked; journal: "", "move", "claim" or
# "copied"; records: how many it has written.
Daemon = collections.namedtuple("Daemon", "pc copies journal records")
OFF = Daemon("off", False, "", 0)
START = State("inbox", "", frozenset(), frozenset(), (OFF, OFF), 4)


def go(state, who, place=None, copy=None, joined=None, dirty=None, **changes):
    daemons = list(state.daemons)
    daemons[who] = daemons[who]._replace(**changes)
    changed = {"place": place, "copy": copy, "joined": joined, "dirty": dirty}
    return state._replace(daemons=tuple(daemons), **{key: new for key, new in changed.items() if new is not None})


def others(state, who):
    return bool(state.joined - {who})


def steps(state, who):
    """What a daemon may do next."""
    me, name = state.daemons[who], NAMES[who]
    is_published = state.copy == name or (BROKEN == "no-copy" and state.place == "there")
    if me.pc == "off":
        yield "starts", go(state, who, pc="ask" if BROKEN == "late-join" else "join")
    elif me.pc == "join":
        joined = state.joined if BROKEN == "no-join" else state.joined | {who}
        later = "recover" if BROKEN == "late-join" else "join-sync"
        yield "joins", go(state, who, pc=later, joined=joined, dirty=state.dirty | (joined - state.joined))
    elif me.pc == "join-sync":
        yield "syncs", go(state, who, pc="ask", dirty=state.dirty - (set() if BROKEN == "no-join-sync" else {who}))
    elif me.pc == "ask":
        later = "join" if BROKEN == "late-join" else "recover"
        yield "asks", go(state, who, pc=later, copies=others(state, who))
    elif me.pc == "recover":
        yield "recovers", recover(state, who, is_published)
    elif me.pc == "rest":
        if me.copies != others(state, who):
            yield "is told", go(state, who, copies=others(state, who))
        if state.place == "inbox" and not state.copy:
            yield "begins", go(state, who, pc="take", journal="claim" if me.copies else "move")
        if state.place == NAMES[1 - who] and state.daemons[1 - who].pc == "off":
            # Notes beside the source say whether it has a copy, of which the other one's journal makes the record.
            has_copy = state.copy == state.place and BROKEN != "no-notes"
            yield "sweeps", go(state, who, place="gone" if has_copy else "inbox")
    elif me.pc == "take":
        if state.place != "inbox":
            yield "finds nothing", go(state, who, pc="end")
        elif me.journal == "move":
            yield "moves", go(state, who, pc="record", place="there")
        else:
            yield "claims", go(state, who, pc="copied", place=name)
    elif me.pc == "copied":
        yield "has copied", go(state, who, pc="publish", journal="copied")
    elif me.pc == "publish":
        named = {"place": "there"} if BROKEN == "no-copy" else {"copy": name}
        yield "publishes", go(state, who, pc="record", **named)
    elif me.pc == "record":
        yield "records", go(state, who, pc="clean", records=me.records + 1)
    elif me.pc == "clean":
        yield "cleans", go(state, who, pc="end", place="gone" if state.place == name else state.place)
    elif me.pc == "end":
        yield "ends its entry", go(state, who, pc="rest", journal="")


def recover(state, who, is_published):
    """The next step of recovery, from the journal, the history and what is found."""
    me, name = state.daemons[who], NAMES[who]
    if me.journal == "move" and state.place == "there" and not me.records:
        return go(state, who, pc="record")
    if me.journal == "copied" and is_published and not me.records:
        return go(state, who, pc="record")
    if me.journal == "copied" and me.records:
        return go(state, who, pc="clean")
    if state.place == name:
        return go(state, who, place="inbox")
    return go(state, who, pc="rest", journal="")


def interruptions(state):
    if not state.ends:
        return
    left = state._replace(ends=state.ends - 1)
    for who, me in enumerate(state.daemons):
        if me.pc == "off":
            continue
        off = {"pc": "off", "copies": False}
        yield "kill " + NAMES[who], go(left, who, **off)
        # Nothing that it has begun is open.
        if (me.pc == "rest" and not me.journal) or BROKEN == "early-leave":
            yield NAMES[who] + " ends", go(left, who, joined=left.joined - {who}, dirty=left.dirty - {who}, **off)
    for count in range(len(state.dirty) + 1):
        for lost in itertools.combinations(sorted(state.dirty), count):
            daemons = tuple(me._replace(pc="off", copies=False) for me in state.daemons)
            yield "power", left._replace(daemons=daemons, joined=left.joined - set(lost), dirty=frozenset())


def fault(state):
    """What is wrong with a state, in words; None where nothing is."""
    records = sum(me.records for me in state.daemons)
    if records > 1:
        return "two records"
    if state.copy and state.place in ("inbox", "there"):
        return "two copies"
    if state.place == "gone" and not state.copy:
        return "the document is lost"
    if all(me.pc == "rest" for me in state.daemons):
        if state.place in NAMES and not any(me.journal for me in state.daemons):
            return "something stays staged"
        if (state.place == "there" or state.copy) and not records:
            return "no record"
    return None


def following(state):
    """What may happen next: in words, and the state that it leads to."""
    for who in range(2):
        for why, new in steps(state, who):
            yield "%s %s" % (NAMES[who], why), new
    yield from interruptions(state)


if __name__ == "__main__":
    exploration.run(START, fault, following)

#!/usr/bin/env python3
"""An exhaustive model of two daemons of one Inbox that recover one document (`Sources/InboxCore/Record/OtherDaemons.swift`).

Each writes itself down on the Inbox, then moves the document by one rename, of which its journal and the document at its
destination are all that shows it after a kill. Either is killed and starts again at any step; a record may fail, so that the
run that has begun an entry recovers it. Before it records what is at its destination, recovery reads the other one's journal,
whether that one runs and since when, and then its history; what the other one may yet record waits.

Prints the number of states, or the shortest way into a bad one: two records, none, or a document that waits for ever: for a
daemon that is gone, or each for the other. MUTATE=name breaks one rule, to show that the model sees it:
no-join, late-join, no-journal, no-history, history-first, early-read, no-run, no-own-run, no-order, no-lock, lost-wait.
"""
import collections
import os

import exploration

BROKEN = os.environ.get("MUTATE", "")

# is_there: whether the document is at its destination. joined: who is written down on the Inbox. runs: how many starts there
# were. kills, failures: those that are left. daemons: the state of each.
State = collections.namedtuple("State", "is_there joined runs kills failures daemons")
# pc: its next step. run: the number of its start. entry: the start in which its open entry was begun; 0 for none. records: how
# many it has written. seen: what recovery has found so far: the other one's entry, then whether that one may record.
Daemon = collections.namedtuple("Daemon", "pc run entry records seen")
OFF = Daemon("off", 0, 0, 0, None)
START = State(False, frozenset(), 0, 4, 1, (OFF, OFF))
# The steps of a recovery, in which others may be read before the document is found where it is.
READING = ["journal", "lock", "history"]
STEPS = ["look"] + READING
if BROKEN == "history-first":
    STEPS = ["look", "history", "journal", "lock"]
if BROKEN == "early-read":
    STEPS = READING + ["look"]


def go(state, who, is_there=None, joined=None, runs=None, failures=None, **changes):
    daemons = list(state.daemons)
    daemons[who] = daemons[who]._replace(**changes)
    shared = {"is_there": is_there, "joined": joined, "runs": runs, "failures": failures}
    return state._replace(daemons=tuple(daemons), **{key: new for key, new in shared.items() if new is not None})


def may_record(me, other, entry):
    """Whether the other one, as it runs now, may record the document of this entry of its journal."""
    if not entry or BROKEN == "no-journal":
        return False
    if other.pc == "off" and BROKEN != "no-lock":
        return False
    if entry >= other.run and BROKEN != "no-run":
        return True
    if BROKEN == "no-order":
        return False
    return (me.entry < me.run or BROKEN == "no-own-run") and other.run < me.run


def recover(state, who):
    """The next step of a recovery."""
    me, other = state.daemons[who], state.daemons[1 - who]
    is_known = 1 - who in state.joined and BROKEN != "no-join"
    entry, waits, is_theirs = me.seen or (0, False, False)
    if me.records:
        return "has its record", go(state, who, pc="end", seen=None)
    if me.pc == "look" and not state.is_there:
        return "finds it in the Inbox", go(state, who, pc="end", seen=None)
    if is_known and me.pc == "journal":
        entry = other.entry
    if is_known and me.pc == "lock":
        waits = may_record(me, other, entry)
    if is_known and me.pc == "history":
        is_theirs = other.records > 0 and BROKEN != "no-history"
    later = STEPS[STEPS.index(me.pc) + 1:]
    if later:
        return "asks: " + me.pc, go(state, who, pc=later[0], seen=(entry, waits, is_theirs))
    if is_theirs or (waits and BROKEN == "lost-wait"):
        return "leaves it to the other one", go(state, who, pc="end", seen=None)
    if waits:
        return "waits", go(state, who, pc=STEPS[0], seen=None)
    return "is sure", go(state, who, pc="record", seen=None)


def step(state, who):
    """What a daemon may do next."""
    me = state.daemons[who]
    if me.pc == "off":
        yield "starts", go(state, who, pc="join", run=state.runs + 1, runs=state.runs + 1)
    elif me.pc == "join":
        joined = state.joined if BROKEN == "late-join" else state.joined | {who}
        yield "joins", go(state, who, joined=joined, pc=STEPS[0] if me.entry else "rest")
    elif me.pc in STEPS:
        yield recover(state, who)
    elif me.pc == "rest" and not state.is_there:
        yield "prepares it", go(state, who, pc="note")
    elif me.pc == "note":
        yield "notes it", go(state, who, pc="move", entry=me.run)
    elif me.pc == "move":
        # The other one may have moved it meanwhile.
        yield "moves it", go(state, who, pc="end" if state.is_there else "record", is_there=True)
    elif me.pc == "record":
        yield "records it", go(state, who, pc="end", records=me.records + 1)
        if state.failures:
            yield "cannot record it", go(state, who, pc=STEPS[0], failures=state.failures - 1)
    elif me.pc == "end":
        yield "ends its entry", go(state, who, pc="rest", entry=0, joined=state.joined | {who})


def waits(state, who):
    """Whether a recovery waits as long as nothing changes."""
    me, other = state.daemons[who], state.daemons[1 - who]
    return me.pc == "look" and state.is_there and 1 - who in state.joined and not other.records and may_record(
        me, other, other.entry)


def fault(state):
    """What is wrong with a state, in words; None where nothing is."""
    records = sum(me.records for me in state.daemons)
    if records > 1:
        return "two records"
    if state.is_there and not records and not any(me.entry for me in state.daemons):
        return "no record"
    for who, other in enumerate(reversed(state.daemons)):
        if waits(state, who) and other.pc == "off":
            return "it waits for a daemon that is gone"
    if all(waits(state, who) for who in range(2)):
        return "each waits for the other"
    return None


def following(state):
    """What may happen next: in words, and the state that it leads to."""
    for who, me in enumerate(state.daemons):
        for why, new in step(state, who):
            yield "%s %s" % ("AB"[who], why), new
        if me.pc != "off" and state.kills:
            yield "kill " + "AB"[who], go(state._replace(kills=state.kills - 1), who, pc="off", seen=None)


if __name__ == "__main__":
    exploration.run(START, fault, following)

"""The exhaustive exploration that the models have in common."""
import collections
import sys


def explore(start, fault, following):
    """Visits every state once, nearest first.

    fault(state) says what is wrong with it, or None; following(state) yields each next state, after words for the way.
    Returns what was found, in words, and whether it is good.
    """
    seen, rest = {start: None}, collections.deque([start])
    while rest:
        state = rest.popleft()
        wrong = fault(state)
        if wrong:
            way = []
            while seen[state]:
                state, why = seen[state]
                way.append(why)
            return "BAD: %s\n  way: %s" % (wrong, " > ".join(reversed(way))), False
        for why, new in following(state):
            if new not in seen:
                seen[new] = (state, why)
                rest.append(new)
    return "%d states, none bad" % len(seen), True


def run(start, fault, following):
    """Prints what an exploration finds; the exit status says whether it is good."""
    words, is_good = explore(start, fault, following)
    print(words)
    sys.exit(0 if is_good else 1)

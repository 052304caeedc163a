extension Interface {
    /// The definition of `io.inboxd.Inbox`: section 5 of the contract, as far as it is built.
    static let inboxDefinition = """
        # inboxd keeps a Documents folder's Inbox empty: it files what is dropped there, and answers for every arrival.
        #
        # Paths are text: a byte that is not UTF-8 is \\xnn in lower case and a backslash is \\\\, so that every name can
        # be turned back into its bytes. Times are RFC 3339 in UTC. Replies may get further fields.
        interface io.inboxd.Inbox

        # One Inbox: its path, how it is watched, and how many folders it has at the moment (itself included).
        type Inbox (
          path: string,
          watching: (inotify, polling, missing),
          folders: int
        )

        # Counted since the daemon's start; seen = filed + duplicates + ignored + waiting + held + withdrawn at every
        # moment. What is waiting, held and ignored is what is there now.
        type Counters (
          seen: int,
          filed: int,
          duplicates: int,
          ignored: int,
          waiting: int,
          held: int,
          withdrawn: int,
          # the sizes of the documents that were filed
          bytesFiled: int,
          # how often the kernel's queue of events overflowed
          overflows: int,
          # how often all folders were read anew
          rescans: int
        )

        # Waiting: it is or will be worked on by itself. Held: it stays until it changes or someone asks for a retry.
        # Ignored: the ignore list matches it.
        type ArrivalState (waiting, held, ignored)

        # Something that stands in an Inbox.
        type Arrival (
          path: string,
          state: ArrivalState,
          # one word: writing, settling, empty, sibling, retrying, copying; symlink, special, permission, name, depth
          reason: string,
          # the reason in words for a person, where there is more to say
          detail: ?string,
          # bytes
          size: int,
          # how many of them have been copied to another filesystem, while that is under way
          copied: ?int,
          # when it came into this state for this reason
          since: string,
          # when it is looked at again, where that is known
          next: ?string
        )

        # What an event tells of. following: the first one of each subscription; the events after its number follow.
        # gap: events were lost, the last of them that of its number. arrived: something was seen for the first time; it
        # waits (settling) until another event tells otherwise. waiting, held, ignored: its state or its reason changed.
        # renamed: inside the Inboxes; a folder around it that is renamed makes no event, but the arrival's number
        # stays. withdrawn: its owner took it back. copying: it is being copied to another filesystem; told when that
        # begins and then, if it has come further, about once a second. filed: it has reached its destination and is
        # recorded. problem, problemOver: something is wrong with the daemon's surroundings, or no longer is. Further
        # kinds may come.
        type EventKind (
          following, gap, arrived, waiting, held, ignored, renamed, withdrawn, copying, filed, problem, problemOver
        )

        # Something that happened, and what belongs to it.
        type Event (
          # which start of the daemon the number belongs to
          boot: string,
          # counted from 1 for each start of the daemon
          number: int,
          time: string,
          kind: EventKind,
          # the arrival's own number: the same in all its events, under whatever name, as long as the daemon runs
          arrival: ?int,
          # where it stands in an Inbox, or stood
          path: ?string,
          # renamed: its path before
          from: ?string,
          # waiting, held: one word, as of an Arrival
          reason: ?string,
          # in words for a person: what is behind the reason, the problem, or why events were lost
          detail: ?string,
          # bytes
          size: ?int,
          # how many of them have been copied
          copied: ?int,
          # filed: as in the history
          id: ?string,
          destination: ?string,
          type: ?string,
          mime: ?string,
          evidence: ?string,
          renamed: ?bool,
          # gap: how many events, where that is known
          lost: ?int
        )

        # The whole in one view. Problems are sentences, one for each thing that is wrong now.
        method GetStatus() -> (
          version: string,
          pid: int,
          since: string,
          paused: bool,
          state: (watching, degraded, paused),
          problems: []string,
          documents: string,
          inboxes: []Inbox,
          counters: Counters
        )

        # Everything that stands in the Inboxes, or what is in one state: "waiting", "held" or "ignored".
        # To be called with "more": each reply carries one arrival; the last, which does not continue, carries none.
        method ListArrivals(state: ?string) -> (arrival: ?Arrival)

        # What happens from now on; to be called with "more", and without an end. Whoever comes back gives the number and
        # the boot identifier of the last event that came, and is told those after it that are still kept; a gap says
        # what is lost. Events are kept for all together (EventBuffer=), so that who is too slow loses the oldest ones.
        # Changes in Documents are not told yet.
        method Subscribe(since: ?int, boot: ?string) -> (event: Event)

        # Tries again at once what is held or waits for its next try: all, or what stands at a path, or beneath it, in an
        # Inbox. The filesystem that an Inbox is on now is accepted where the path is that of the Inbox, and those of
        # Documents and what is mounted in it where it is that of Documents or lies beneath; all without a path.
        # Root and the daemon's own user may do this.
        method Retry(path: ?string) -> ()

        # What stands at a path beneath an Inbox or Documents: its type and the evidence, where it would go if it were
        # filed now, and how it stands in the Inbox. "content", "name", "name+content" and "none" are the evidence.
        method Explain(path: string) -> (
          path: string,
          type: string,
          mime: ?string,
          evidence: string,
          # name and content disagree
          mismatch: bool,
          # the content could not be read
          unread: bool,
          # every supertype, a type before all its own supertypes
          conformsTo: []string,
          destination: ?string,
          arrival: ?Arrival
        )

        # Nothing can be looked at under the path.
        error UnreachablePath (path: string, reason: string)

        """
}

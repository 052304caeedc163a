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

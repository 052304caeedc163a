extension Interface {
    /// The definition of `io.inboxd.Inbox`: section 5 of the contract. Every type, member, method and error has a comment
    /// above it, because this text is what `GetInterfaceDescription` returns.
    static let inboxDefinition = inboxTypes + inboxReadingMethods + inboxChangingMethods + inboxErrors

    private static let inboxTypes = """
        # inboxd keeps the Inbox of a Documents folder empty: it files what is dropped there, and accounts for every
        # arrival.
        #
        # Paths are text: a byte that is not UTF-8 is \\xnn in lower case and a backslash is \\\\, so that every name can
        # be converted back into its bytes. Times are RFC 3339 in UTC. Replies may get further members, and enumerations
        # further words; a client ignores those that it does not know.
        interface io.inboxd.Inbox

        # How changes in an Inbox are noticed: by the kernel's events, or by reading it again and again. missing: the
        # Inbox does not exist at the moment, and its return is waited for.
        type Watching (inotify, polling, missing)

        # One Inbox.
        type Inbox (
          # its absolute path
          path: string,
          # how changes in it are noticed
          watching: Watching,
          # how many folders it has at the moment, itself included
          folders: int,
          # missing: true where that is as it should be, since it was removed once it was cleared (RemoveInbox=yes)
          removed: ?bool
        )

        # What was counted since the daemon's start. At every moment
        # seen = filed + duplicates + ignored + waiting + held + withdrawn.
        type Counters (
          # all arrivals
          seen: int,
          # documents that reached their destination and are recorded
          filed: int,
          # documents that were discarded because a byte-identical one exists at their destination
          duplicates: int,
          # arrivals that are there now and match the ignore list
          ignored: int,
          # arrivals that are there now and are or will be worked on without intervention
          waiting: int,
          # arrivals that are there now and stay until they change or someone requests a retry
          held: int,
          # arrivals that their owner removed or moved away before they were filed
          withdrawn: int,
          # the sizes of the documents that were filed, in bytes
          bytesFiled: int,
          # how often the kernel's queue of events overflowed
          overflows: int,
          # how often all folders were read again
          rescans: int
        )

        # waiting: it is or will be worked on without intervention. held: it stays until it changes or someone requests a
        # retry. ignored: it matches the ignore list.
        type ArrivalState (waiting, held, ignored)

        # A file, link, special file or package that is in an Inbox, or a folder that may not be read; or, in no
        # counter, a folder in which nothing is.
        type Arrival (
          # its absolute path
          path: string,
          # what becomes of it
          state: ArrivalState,
          # why, in one word: writing, settling, empty, incomplete, sibling, retrying, copying or paused of what waits;
          # symlink, special, mismatch, permission, name, depth, loops, undone, sync-failed, too-large or incomplete of
          # what is held; hidden or pattern of what is ignored; empty-folder of a folder in which nothing is
          reason: string,
          # the reason in words for a person, where there is more to say
          detail: ?string,
          # its size in bytes
          size: int,
          # how many of its bytes have been copied to another filesystem, while it is being copied
          copied: ?int,
          # when it got this state and this reason
          since: string,
          # when the next try is due, or an empty folder is removed, where that is known
          next: ?string
        )

        # A document type of the configuration that accepts what is at a path.
        type DocumentType (
          # its name
          name: string,
          # the content type by which it accepts
          contentType: string,
          # whether it gets the document
          wins: bool,
          # why it does or does not, in words for a person
          reason: string,
          # the program that handles the document, where there is one
          run: ?string
        )

        # The documents that were in a folder that is gone, as far as the caller may read them where they are now.
        type PastFolder (
          # how many there are; no more than 10000 are counted
          count: int,
          # the last records of the newest of them, in their order
          newest: []Record
        )

        # What the daemon as a whole does. watching: all is well. degraded: something is wrong, see the problems. paused:
        # nothing is filed until someone resumes.
        type State (watching, degraded, paused)

        # What an event reports.
        # following: the first event of each subscription; the events after its number follow.
        # gap: events were lost, the last of them that of its number.
        # arrived: an arrival was seen for the first time; it waits (settling) until another event says otherwise.
        # waiting, held, ignored: the arrival's state or its reason changed.
        # renamed: its name changed inside the Inboxes; a folder around it that is renamed causes no event.
        # withdrawn: its owner removed it or moved it away before it was filed.
        # copying: it is being copied to another filesystem; at the beginning, and then about once a second if there is
        # progress.
        # filed: it has reached its destination and is recorded.
        # duplicate: it was discarded because an identical document is at its destination.
        # handler: a try of the handler of a filed document has ended.
        # problem, problemOver: something is wrong with the daemon's surroundings, or no longer is. A problem whose words
        # change is reported again, and is over once.
        # paused, resumed: someone paused filing, or resumed it.
        # contentAdded, contentRemoved, contentRenamed: others changed the top level of Documents; reported only while
        # somebody subscribes.
        # contentChanged: others changed the top level of Documents, and more is not known: read it again.
        type EventKind (
          following, gap, arrived, waiting, held, ignored, renamed, withdrawn, copying, filed, duplicate, handler,
          problem, problemOver, paused, resumed, contentAdded, contentRemoved, contentRenamed, contentChanged
        )

        # Something that happened, with the members that belong to its kind.
        type Event (
          # which start of the daemon the number belongs to
          boot: string,
          # counted from 1 for each start of the daemon
          number: int,
          # when it happened
          time: string,
          # what it reports
          kind: EventKind,
          # the arrival's own number: the same in all its events, whatever its name, as long as the daemon runs; none for
          # a document that an earlier run had begun to file, and that is recorded now
          arrival: ?int,
          # where the arrival is, or was, in an Inbox; of a change in Documents, what was changed there; of a handler, its
          # document
          path: ?string,
          # renamed, contentRenamed: its path before
          from: ?string,
          # waiting, held, ignored: why, in one word, as of an Arrival
          reason: ?string,
          # in words for a person: more about the reason, the problem, how the handler ended, or why events were lost
          detail: ?string,
          # the arrival's size in bytes
          size: ?int,
          # arrived: which file it is, as decimal numbers: device, inode, and seconds and nanoseconds of its birth, where
          # they are known
          file: ?[]string,
          # copying: how many of its bytes have been copied
          copied: ?int,
          # filed, duplicate, handler: the identifier of the history's record, unique forever
          id: ?string,
          # filed, duplicate: the path of the document, or of the identical one; as what follows, absent where the caller
          # may see the Inbox alone
          destination: ?string,
          # filed, duplicate: the identifier of its type
          type: ?string,
          # filed, duplicate: the MIME type of its type, where there is one
          mime: ?string,
          # filed, duplicate: what the type was concluded from: content, name, name+content or none
          evidence: ?string,
          # filed: whether a number was added to its name
          renamed: ?bool,
          # filed: what travelled with it, by key
          annotations: ?[string]string,
          # handler: done, gone (the document was not there any more), retrying (it has failed, and is tried again) or
          # failed (for the last time; the document stays filed)
          outcome: ?string,
          # handler: how often it was tried so far
          tries: ?int,
          # gap: how many events were lost, where that is known
          lost: ?int
        )

        # What a record of the history is about.
        # filed: a document has reached its destination.
        # duplicate: a document was discarded, because a byte-identical one exists at its destination.
        # handler: the handler of a filed document has ended, with the id of its filed record.
        # undone: a document was put back into the Inbox, with the id of its filed record.
        type RecordEvent (filed, duplicate, handler, undone)

        # One record of the history; inboxd(8) describes its members.
        type Record (
          # its identifier, unique forever
          id: string,
          # when it was made
          time: string,
          # what it is about
          event: RecordEvent,
          # the document's path in the Inbox
          source: ?string,
          # its path after it was filed
          destination: ?string,
          # the identifier of its type
          type: ?string,
          # the MIME type of its type, where there is one
          mime: ?string,
          # its size in bytes
          size: ?int,
          # what the type was concluded from: content, name, name+content or none
          evidence: ?string,
          # whether a number was added to its name
          renamed: ?bool,
          # the document type that won, where there is one
          documentType: ?string,
          # what showed that nobody was writing: lease or quiet-time; none of a link, recovered where the record was made
          # after an interruption
          proof: ?string,
          # filed: the number of its owner, where that is known
          owner: ?int,
          # filed: what the document is at its destination, as decimal numbers: device, inode, size, and seconds and
          # nanoseconds of its modification and of its birth, where that is known
          identity: ?[]string,
          # filed: what is missing of one that its own format shows to be cut off
          incomplete: ?string,
          # undone: the identifier of this operation, unique forever
          undo: ?string,
          # what travelled with it, by key
          annotations: ?[string]string,
          # handler: the program
          run: ?string,
          # handler: done, gone (the document was not there any more) or failed (the document stays filed)
          outcome: ?string,
          # handler: the exit status of its last try, where that ended by itself
          exitStatus: ?int,
          # handler: the number of the signal that ended its last try
          signal: ?int,
          # handler: how its last try ended, in words, unless it was done
          detail: ?string,
          # handler: how often it was tried
          tries: ?int,
          # handler: how long the last try took
          milliseconds: ?int
        )

        """
}

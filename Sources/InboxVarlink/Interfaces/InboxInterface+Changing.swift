extension Interface {
    /// The methods of `io.inboxd.Inbox` that only those may call whom `[Control]` permits it.
    static let inboxChangingMethods = """
        # Pauses filing: settling goes on and copies finish, but nothing new is filed until someone calls Resume. A restart
        # of the daemon ends the pause. Requires permission to make changes.
        method Pause() -> (
          # whether filing was not paused before
          changed: bool,
          # how many arrivals wait now
          waiting: int
        )

        # Ends a pause. Requires permission to make changes.
        method Resume() -> (
          # whether filing was paused before
          changed: bool,
          # how many documents were ready, and are filed now
          ready: int
        )

        # Reads all folders of the Inboxes again, as the daemon does by itself from time to time, and answers when that is
        # done. Requires permission to make changes.
        method Rescan() -> (
          # how many folders the Inboxes have, themselves included
          folders: int,
          # how many arrivals were inspected
          arrivals: int,
          # whether all of it was read within a minute; else the rest is read later
          complete: bool
        )

        # Reads the configuration again, and answers when it is in force; a broken one changes nothing. Requires
        # permission to make changes.
        method Reload() -> (
          # whether anything is different from before
          changed: bool,
          # the files that were read, in their order
          files: []string,
          # what there is to know about it, a sentence each
          notices: []string,
          # the Inboxes that are watched now
          inboxes: []string
        )

        # Tries again at once what is held or waits for its next try, and accepts the filesystem that an Inbox or Documents
        # is on now. Requires permission to make changes: for root, the daemon's user, and those of AllowUsers= and
        # AllowGroups=.
        method Retry(
          # only what is at this path or below it. The path of an Inbox also accepts its filesystem; that of Documents, or
          # of what is in it, accepts the filesystem of Documents and those mounted in it. Everything without a path.
          path: ?string
        ) -> (
          # how many arrivals this affects, including those that would be tried anyway
          arrivals: int,
          # whether someone paused filing, so that nothing is filed until someone resumes
          paused: bool
        )

        # Puts a filed document back into the Inbox under its old name; folders that are missing are created. There it is
        # held (undone) until it changes or someone calls Retry, also across restarts. Nothing happens where it has changed
        # since it was filed, its old name is taken, or its handler or its filing has not ended: NotUndone. Requires
        # permission to make changes.
        method Undo(
          # the id of its record in the history, of the event filed
          id: string
        ) -> (
          # where it is now
          path: string
        )

        # Delivers a document: copies a file into the first Inbox, and answers when it is complete there and on the disk.
        # The file descriptor travels with the call by SCM_RIGHTS: a regular file, open for reading and not by O_PATH.
        # Called with "more", a delivery that takes over a second also sends replies that continue, some five a second, which
        # say how far it is. Only root, the daemon's user and those of PutAllowUsers= and PutAllowGroups= may call it.
        method Put(
          # the name that the document should have; where it is taken the document gets the next free one
          name: string,
          # the identifier of its type, where that is known: it counts where the content is inconclusive, and a name without
          # an extension gets that of the type
          type: ?string,
          # keys [A-Za-z0-9_]{1,64} and values of up to 4 KiB that become the extended attributes user.inboxd.KEY
          annotations: ?[string]string,
          # which of the descriptors that came with the call, counted from 0
          fd: int
        ) -> (
          # where it is now: in the last reply, which does not continue, and always there
          path: ?string,
          # which file it is, as in its event "arrived": beside the path, where its filesystem can tell
          file: ?[]string,
          # in a reply that continues, and only there: how many bytes have been copied
          copied: ?int
        )

        """
}

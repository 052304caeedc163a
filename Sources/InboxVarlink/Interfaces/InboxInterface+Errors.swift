extension Interface {
    /// The errors of `io.inboxd.Inbox`.
    static let inboxErrors = """
        # The path lies outside the Inboxes and Documents, or there is nothing at it that the daemon can read.
        error UnreachablePath (
          # the path of the call
          path: string,
          # why, in words for a person
          reason: string
        )

        # The configuration on disk is broken, and the former one stays in force.
        error BrokenConfiguration (
          # what is wrong, a line each: "file:line: problem"
          problems: []string
        )

        # The document could not be delivered, and nothing is left of it in the Inbox.
        error NotDelivered (
          # why, in words for a person
          reason: string
        )

        # The file that was passed lies on a filesystem that neither root nor the daemon's user serves, and which may never
        # answer, or that the daemon does not see. Nothing of it was read: pass a copy of it, in a file without a name
        # or one of memory.
        error ForeignFile (
          # why, in words for a person
          reason: string
        )

        # Why a filed document is not put back.
        # unknown: the history has no filed document of this id.
        # discarded: it was discarded, because an identical one exists.
        # undone: it was put back before.
        # gone: nothing is where it was filed.
        # changed: what is where it was filed is not what was filed.
        # taken: something else has its old name.
        # handled: its handler runs, or is still to run.
        # written: a process has it open for writing.
        # elsewhere: it was filed from or to a place that the configuration no longer names.
        # failed: something else, which the words say.
        type UndoObstacle (unknown, discarded, undone, gone, changed, taken, handled, written, elsewhere, failed)

        # The document is where it was.
        error NotUndone (
          # the id of the call
          id: string,
          # why, in one word
          reason: UndoObstacle,
          # why, and what to do, in words for a person
          detail: string
        )

        # The history cannot be read.
        error UnreadableHistory (
          # why, in words for a person
          reason: string
        )

        # As many clients are connected as the daemon serves at a time, altogether or of one user. The connection is closed
        # after this reply, which is sent without a call.
        error TooManyConnections ()

        # The daemon has too many files open to serve another client. The connection is closed after this reply, which is
        # sent without a call.
        error TooManyOpenFiles ()

        """
}

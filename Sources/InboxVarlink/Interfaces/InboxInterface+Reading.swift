extension Interface {
    /// The methods of `io.inboxd.Inbox` that anybody may call who can open the socket.
    static let inboxReadingMethods = """
        # The whole in one view.
        method GetStatus() -> (
          # the daemon's version
          version: string,
          # its process
          pid: int,
          # when it started
          since: string,
          # whether someone paused filing
          paused: bool,
          # what it does now
          state: State,
          # what is wrong now, a sentence for each problem
          problems: []string,
          # the path of the Documents folder
          documents: string,
          # the Inboxes, in the order of the configuration
          inboxes: []Inbox,
          # what was counted since its start
          counters: Counters
        )

        # Lists the arrivals in the Inboxes, as far as the caller may list the folders that they are in. To be called with "more": each reply has one arrival; the last one, which does
        # not continue, has none.
        method ListArrivals(
          # only those in this state: waiting, held or ignored
          state: ?string
        ) -> (
          # one arrival
          arrival: ?Arrival
        )

        # Lists records of the history, the newest last, of documents that the caller could read where they are. The source of another user's document is left out where the caller could not list the folder that it was in, and annotations and identity of a document that has gone from its destination. To be called with "more": each reply has one record; the last one,
        # which does not continue, has none.
        method GetHistory(
          # only records one of whose paths matches: a part of the path, or with *, ? or [ a pattern of glob(7) for the
          # whole of it or for its last component; escaped as paths are, and of at most 1024 bytes
          pattern: ?string,
          # not before this time: RFC 3339 in UTC
          since: ?string,
          # not after this time
          until: ?string,
          # only so many, the newest ones
          limit: ?int
        ) -> (
          # one record
          record: ?Record
        )

        # Reports what happens from now on. To be called with "more"; the replies have no end. A client that comes back
        # gives the number and the boot identifier of the last event that it received, and gets the events after it that
        # are still kept; a gap says which were lost. The last 4096 events are kept once for all clients, so that a client
        # that reads too slowly loses the oldest ones. The caller gets the events about what he could see, as in
        # ListArrivals and GetHistory, and those of his own documents where he may call Put; the numbers of others are
        # left out.
        method Subscribe(
          # begin after the event of this number; 0 for all that are kept
          since: ?int,
          # which start of the daemon the number belongs to
          boot: ?string
        ) -> (
          # one event
          event: Event
        )

        # Explains what is at a path below an Inbox or Documents, or where the document went that was there: from the
        # history, as far as the caller may read the document where it is now.
        method Explain(
          # an absolute path without "..", as text
          path: string
        ) -> (
          # the path
          path: string,
          # the identifier of its type
          type: string,
          # the MIME type of its type, where there is one
          mime: ?string,
          # what the type was concluded from: content, name, name+content or none
          evidence: string,
          # whether its content contradicts its name
          mismatch: bool,
          # whether its content could not be read
          unread: bool,
          # what is missing of a file that its own format shows to be cut off
          incomplete: ?string,
          # every supertype, each before all its own supertypes
          conformsTo: []string,
          # every document type that accepts its type, the one that gets it first
          documentTypes: []DocumentType,
          # where some are configured and none gets it: that, in words for a person
          unclaimed: ?string,
          # where it would be filed now, where that is known
          destination: ?string,
          # the arrival that it is, or that it is a part of, where it is one
          arrival: ?Arrival,
          # if it is in an Inbox but the list of arrivals is full: a sentence that says so
          unlisted: ?string,
          # where nothing is at the path any more: the record of the history that says where the document went; its place
          # is the destination
          record: ?Record,
          # where nothing is at the path any more, and it was a folder: the documents that were in it
          beneath: ?PastFolder,
          # of a filed document: how its handler runs, is tried again or has ended, in words for a person
          handling: ?string
        )

        # The configuration in force.
        method GetConfiguration() -> (
          # a configuration file that gives the same configuration, each key below a comment that says where it came from
          configuration: string
        )

        # The numbers for a monitoring system.
        method GetMetrics() -> (
          # OpenMetrics text, version 1.0.0, with its "# EOF"
          metrics: string
        )

        """
}

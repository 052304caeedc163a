import InboxLinux

/// The right of a client to do something besides reading.
package enum Right: Hashable, Sendable {
    /// Change something: `AllowUsers=` and `AllowGroups=`.
    case change
    /// Deliver documents: `PutAllowUsers=` and `PutAllowGroups=`.
    case put
}

/// The answers of the daemon over the control socket: the methods of `io.inboxd.Inbox`.
package protocol InboxService {
    /// Returns whether the caller has the right that a method needs. A refusal is for the service to log.
    func permits(_ right: Right, to method: String, _ caller: UnixSocket.Peer) -> Bool

    /// The whole in one view, now. Problems name no path that the caller may not know.
    func status(for caller: UnixSocket.Peer) -> StatusReport

    /// The arrivals that are there, or those in one state; each is asked for when the client is ready for it.
    ///
    /// The iterator lives as long as the client takes, while the table goes on changing: it should hold a place in the
    /// table, or the arrivals' numbers, rather than all reports. An arrival that is in the table from the first
    /// call to the last is listed once. In the place of some that are in folders that the caller may not list there is nil.
    func arrivals(_ state: ArrivalReport.State?, for caller: UnixSocket.Peer) -> AnyIterator<ArrivalReport?>

    /// The records of the history that are wanted: each is asked for when the client is ready for it.
    func history(_ call: HistoryCall, for caller: UnixSocket.Peer) -> () -> HistoryPart

    /// All that the caller may know of one path, or of a file that was passed; nil while it is searched for or read.
    func explain(_ call: ExplainCall, for caller: UnixSocket.Peer) throws(ServiceError) -> () -> ExplainOutcome?

    /// Tries again what is held or failed, and accepts the filesystems that are there: all, or what is at a path. The
    /// outcome is nil until that is done.
    func retry(_ path: String?) throws(ServiceError) -> () -> RetryOutcome?

    /// Runs the handler of a filed document again that has failed or was lost; the outcome is nil until that has begun.
    func retryHandler(_ id: String, for caller: UnixSocket.Peer) -> () -> RetryOutcome?

    /// Files nothing more until someone resumes.
    func pause() -> PauseReport

    /// Files again.
    func resume() -> ResumeReport

    /// Reads all Inboxes again; the report is nil until that is done.
    func rescan() -> () -> RescanReport?

    /// Reads the configuration again and puts it in force.
    func reload() throws(ServiceError) -> ReloadReport

    /// The configuration in force, as a configuration file that can be read back.
    func configuration() -> String

    /// The numbers for a monitoring system: OpenMetrics text.
    func metrics() -> String

    /// Puts a filed document back into the Inbox; the outcome is nil until that is done.
    func undo(_ id: String, for caller: UnixSocket.Peer) -> () -> UndoOutcome?

    /// Copies a file into the Inbox; there is no news until that is done, but progress for a caller who takes it.
    func put(_ delivery: PutCall, from caller: UnixSocket.Peer) throws(ServiceError) -> () -> PutNews?

    /// Returns a feed of the events from now on, or after the event with that number: the feed is asked whenever the
    /// client is ready, and says so if there is nothing new. It should hold a position in a bounded row of events,
    /// not a row of its own. Events that the caller may not know are passed over.
    func events(since number: Int64?, boot: String?, for caller: UnixSocket.Peer) throws(ServiceError) -> ()
        -> EventNews
}

/// The parameters of `GetHistory`, whose form is checked.
package struct HistoryCall: Sendable {
    /// Bytes: how long the text of a pattern may be. That is more than any name has, and bounds what comparing it costs.
    package static let longestPattern = 1024

    /// The pattern that one of the paths must match; nil for all.
    package let pattern: [UInt8]?
    /// Not before this moment.
    package let since: Timestamp?
    /// Not after this moment.
    package let until: Timestamp?
    /// Only so many, the newest ones.
    package let limit: Int?
}

/// The progress of a search of the history.
package enum HistoryPart: Sendable {
    /// The next record.
    case record(JSONValue)
    /// It is still being searched for.
    case notYet
    /// There are no more.
    case end
    /// The history cannot be read: why.
    case failed(ServiceError)
}

/// The next news for a client that follows the events.
package enum EventNews: Sendable {
    /// An event.
    case event(EventReport)
    /// There was an event that the caller may not know: others may follow.
    case passedOver
    /// Nothing new.
    case notYet
}

/// The parameters of `Explain`, whose form is checked.
package enum ExplainCall: Sendable {
    /// A question about what is, or was, at a path: text by section 5 of the contract.
    case path(String)
    /// A question about this file under that name in an Inbox: text by section 5 of the contract, nil for the first.
    case dropped(PassedFile, as: FileName, inbox: String?)
}

/// The parameters of `Put`, whose form is checked.
package struct PutCall: Sendable {
    /// The name that is wanted.
    package let name: FileName
    /// The identifier of the type that the client names.
    package let type: String?
    /// Keys and values that travel with the document.
    package let annotations: [String: String]
    /// The application that it comes from; nil where the client does not say.
    package let application: String?
    /// The content.
    package let file: PassedFile
    /// The caller accepts replies that report the progress of a long delivery.
    package let reportsProgress: Bool
}

/// The answer to `Explain`.
package enum ExplainOutcome: Sendable {
    /// The explanation of what is, or was, at the path.
    case explained(ExplanationReport)
    /// Nothing can be said: why.
    case refused(ServiceError)
}

/// The outcome of a `Retry`.
package enum RetryOutcome: Sendable {
    /// It was done.
    case retried(RetryReport)
    /// It was about nothing: why.
    case refused(ServiceError)
}

/// The outcome of an `Undo`.
package enum UndoOutcome: Sendable {
    /// The document has this path, as text by section 5 of the contract.
    case undone(path: String)
    /// It is where it was: why.
    case refused(ServiceError)
}

/// The news of a `Put`.
package enum PutNews: Sendable {
    /// So many bytes are copied, and the delivery goes on: only for a caller who takes several replies.
    case copied(Int64)
    /// The document has this path, as text by section 5 of the contract, and is this file, as in its event; nil where its
    /// filesystem cannot tell.
    case delivered(path: String, file: [String]? = nil)
    /// It was not delivered: why.
    case refused(ServiceError)
}

extension Service {
    /// The service of the control socket.
    ///
    /// - Parameters:
    ///   - inbox: who answers. The service keeps it, so that it should not own the service in turn.
    ///   - information: what it says of itself.
    package static func inbox(
        _ inbox: any InboxService, information: ServiceInformation
    ) throws(InterfaceSyntaxError) -> Service {
        var service = try Service(information)
        service.add(try Interface(parsing: Interface.inboxDefinition))
        let methods = InboxMethods(inbox: inbox)
        methods.addReading(to: &service)
        methods.addStreaming(to: &service)
        methods.addChanging(to: &service)
        return service
    }
}

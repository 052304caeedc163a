/// What the daemon answers over the control socket: the methods of `io.inboxd.Inbox`.
public protocol InboxService {
    /// The whole in one view, now.
    func status() -> StatusReport

    /// The arrivals that are there, or those in one state; each is asked for when the client is ready for it.
    ///
    /// The iterator lives as long as the client takes, while the table goes on changing: it should hold a place in the
    /// table, or the arrivals' numbers, rather than all reports. An arrival that stands in the table from the first
    /// call to the last is told once.
    func arrivals(_ state: ArrivalReport.State?) -> AnyIterator<ArrivalReport>

    /// All that can be said of one path, given as text by section 5 of the contract.
    func explain(_ path: String) throws(ServiceError) -> ExplanationReport

    /// Tries again what is held or failed, and accepts the filesystems that are there: all, or what stands at a path.
    func retry(_ path: String?) throws(ServiceError)

    /// What happens from now on, or after the event of that number: the feed is asked whenever the client is ready, and
    /// says nil as long as there is nothing new. It should hold a place in a bounded row of events, not a row of its
    /// own.
    func events(since number: Int64?, boot: String?) throws(ServiceError) -> () -> EventReport?
}

extension Service {
    /// The service of the control socket.
    ///
    /// - Parameters:
    ///   - inbox: who answers. The service keeps it, so that it should not own the service in turn.
    ///   - information: what it says of itself.
    ///   - mayChange: whether the client may do what changes something; else that is denied.
    public static func inbox(
        _ inbox: any InboxService, information: ServiceInformation, mayChange: Bool
    ) throws(InterfaceSyntaxError) -> Service {
        var service = try Service(information)
        service.add(try Interface(parsing: Interface.inboxDefinition))
        service.handle("io.inboxd.Inbox.GetStatus") { _ in .reply(inbox.status()) }
        service.handle("io.inboxd.Inbox.ListArrivals", needsMore: true) { parameters in
            guard let word = parameters["state"]?.string else { return list(inbox.arrivals(nil)) }
            guard let state = ArrivalReport.State(rawValue: word) else { return .failure(.invalidParameter("state")) }
            return list(inbox.arrivals(state))
        }
        service.handle("io.inboxd.Inbox.Explain") { parameters in
            do throws(ServiceError) {
                return .reply(try inbox.explain(parameters["path"]?.string ?? ""))
            } catch {
                return .failure(error)
            }
        }
        service.handle("io.inboxd.Inbox.Subscribe", needsMore: true) { parameters in
            do throws(ServiceError) {
                let next = try inbox.events(
                    since: parameters["since"]?.integer, boot: parameters["boot"]?.string)
                return .feed { next().map { ToldEvent(event: $0) } }
            } catch {
                return .failure(error)
            }
        }
        service.handle("io.inboxd.Inbox.Retry") { parameters in
            guard mayChange else { return .failure(.permissionDenied) }
            do throws(ServiceError) { try inbox.retry(parameters["path"]?.string) } catch { return .failure(error) }
            return .reply([String: String]())
        }
        return service
    }

    private static func list(_ arrivals: AnyIterator<ArrivalReport>) -> Answer {
        .replies(AnyIterator { arrivals.next().map { ListedArrival(arrival: $0) } })
    }
}

/// One reply of `Subscribe`.
private struct ToldEvent: Encodable {
    let event: EventReport
}

/// One reply of `ListArrivals`.
private struct ListedArrival: Encodable {
    let arrival: ArrivalReport
}

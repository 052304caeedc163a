import InboxLinux

/// Connects the methods of `io.inboxd.Inbox` with whoever answers them.
struct InboxMethods {
    let inbox: any InboxService

    private static func name(_ method: String) -> String { "io.inboxd.Inbox." + method }

    /// Methods with one reply that anybody may call who can open the socket.
    func addReading(to service: inout Service) {
        let inbox = inbox
        service.handle(Self.name("GetStatus")) { .reply(inbox.status(for: $0.caller)) }
        service.handle(Self.name("GetConfiguration")) { _ in .reply(["configuration": inbox.configuration()]) }
        service.handle(Self.name("GetMetrics")) { _ in .reply(["metrics": inbox.metrics()]) }
        service.handle(Self.name("Explain")) { request in
            do throws(ServiceError) {
                let outcome = try inbox.explain(try ExplainCall(request), for: request.caller)
                return .later {
                    switch outcome() {
                    case nil: nil
                    case .explained(let report)?: .reply(report)
                    case .refused(let error)?: .failure(error)
                    }
                }
            } catch {
                return .failure(error)
            }
        }
    }

    /// Methods with many replies.
    func addStreaming(to service: inout Service) {
        let inbox = inbox
        service.handle(Self.name("ListArrivals"), needsMore: true) { request in
            guard let word = request.parameters["state"]?.string else {
                return list(inbox.arrivals(nil, for: request.caller))
            }
            guard let state = ArrivalReport.State(rawValue: word) else { return .failure(.invalidParameter("state")) }
            return list(inbox.arrivals(state, for: request.caller))
        }
        service.handle(Self.name("GetHistory"), needsMore: true) { request in
            do throws(ServiceError) {
                let next = inbox.history(try HistoryCall(request.parameters), for: request.caller)
                return .stream {
                    switch next() {
                    case .record(let record): .reply(["record": record])
                    case .notYet: .notYet
                    case .end: .end
                    case .failed(let error): .failure(error)
                    }
                }
            } catch {
                return .failure(error)
            }
        }
        service.handle(Self.name("Subscribe"), needsMore: true) { request in
            do throws(ServiceError) {
                let next = try inbox.events(
                    since: request.parameters["since"]?.integer, boot: request.parameters["boot"]?.string,
                    for: request.caller)
                return .feed {
                    switch next() {
                    case .event(let event): .reply(ToldEvent(event: event))
                    case .passedOver: .passedOver
                    case .notYet: .notYet
                    }
                }
            } catch {
                return .failure(error)
            }
        }
    }

    private func list(_ arrivals: AnyIterator<ArrivalReport?>) -> Service.Answer {
        .replies(AnyIterator { arrivals.next().map { $0.map { ["arrival": $0.json] } } })
    }

    /// Methods that change something, for those who have the right.
    func addChanging(to service: inout Service) {
        let inbox = inbox
        changing("Pause", in: &service) { _ in .reply(inbox.pause()) }
        changing("Resume", in: &service) { _ in .reply(inbox.resume()) }
        changing("Rescan", in: &service) { _ in
            let report = inbox.rescan()
            return .later { report().map { .reply($0) } }
        }
        changing("Reload", in: &service) { _ in answer { () throws(ServiceError) in try inbox.reload() } }
        changing("Retry", in: &service) { request in
            do throws(ServiceError) {
                let (path, id) = (request.parameters["path"]?.string, request.parameters["id"]?.string)
                guard path == nil || id == nil else { throw .invalidParameter("id") }
                let outcome =
                    if let id { inbox.retryHandler(id, for: request.caller) } else { try inbox.retry(path) }
                return .deed {
                    switch outcome() {
                    case nil: nil
                    case .retried(let report)?: .reply(report)
                    case .refused(let error)?: .failure(error)
                    }
                }
            } catch {
                return .failure(error)
            }
        }
        changing("Undo", in: &service) { request in
            let outcome = inbox.undo(request.parameters["id"]?.string ?? "", for: request.caller)
            return .deed {
                switch outcome() {
                case nil: nil
                case .undone(let path)?: .reply(["path": path])
                case .refused(let error)?: .failure(error)
                }
            }
        }
        changing("Put", right: .put, in: &service) { request in
            do throws(ServiceError) {
                let next = try inbox.put(try PutCall(request), from: request.caller)
                return .stream {
                    switch next() {
                    case nil: .notYet
                    case .copied(let count)?: .reply(["copied": .integer(count)])
                    case .delivered(let path, let file)?: .last(Self.delivered(path, file))
                    case .refused(let error)?: .failure(error)
                    }
                }
            } catch {
                return .failure(error)
            }
        }
    }

    private static func delivered(_ path: String, _ file: [String]?) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["path": .string(path)]
        if let file { members["file"] = .array(file.map(JSONValue.string)) }
        return members
    }

    private func changing(
        _ method: String, right: Right = .change, in service: inout Service, _ handler: @escaping Service.Handler
    ) {
        let inbox = inbox
        service.handle(Self.name(method)) { request in
            inbox.permits(right, to: method, request.caller) ? handler(request) : .failure(.permissionDenied)
        }
    }

    private func answer(_ body: () throws(ServiceError) -> some Encodable) -> Service.Answer {
        do throws(ServiceError) { return .reply(try body()) } catch { return .failure(error) }
    }
}

/// One reply of `Subscribe`.
private struct ToldEvent: Encodable {
    let event: EventReport
}

extension HistoryCall {
    /// Takes the parameters of a call.
    fileprivate init(_ parameters: [String: JSONValue]) throws(ServiceError) {
        func time(_ name: String) throws(ServiceError) -> Timestamp? {
            guard let text = parameters[name]?.string else { return nil }
            guard let time = Timestamp(wireTime: text) else { throw .invalidParameter(name) }
            return time
        }
        var pattern: [UInt8]?
        if let text = parameters["pattern"]?.string {
            guard text.utf8.count <= Self.longestPattern, let bytes = EscapedBytes.bytes(text) else {
                throw .invalidParameter("pattern")
            }
            pattern = bytes
        }
        let limit = parameters["limit"]?.integer
        guard limit ?? 0 >= 0 else { throw .invalidParameter("limit") }
        self.init(
            pattern: pattern, since: try time("since"), until: try time("until"), limit: limit.map(Int.init(clamping:)))
    }
}

extension ExplainCall {
    /// Takes the parameters of a call.
    fileprivate init(_ request: Service.Request) throws(ServiceError) {
        let parameters = request.parameters
        let path = parameters["path"]?.string
        guard parameters["fd"]?.integer != nil else {
            guard let path else { throw .invalidParameter("path") }
            for name in ["name", "inbox"] where parameters[name]?.string != nil { throw .invalidParameter(name) }
            self = .path(path)
            return
        }
        guard path == nil else { throw .invalidParameter("path") }
        guard let name = parameters["name"]?.string.flatMap(EscapedBytes.bytes).flatMap({ FileName($0) }) else {
            throw .invalidParameter("name")
        }
        self = .dropped(try request.file(), as: name, inbox: parameters["inbox"]?.string)
    }
}

extension Service.Request {
    /// The file that the parameter `fd` refers to.
    fileprivate func file() throws(ServiceError) -> PassedFile {
        guard let index = parameters["fd"]?.integer, index >= 0, index < files.count else {
            throw .invalidParameter("fd")
        }
        return files[Int(index)]
    }
}

extension PutCall {
    /// Takes the parameters of a call.
    fileprivate init(_ request: Service.Request) throws(ServiceError) {
        let parameters = request.parameters
        guard let name = parameters["name"]?.string.flatMap(EscapedBytes.bytes).flatMap({ FileName($0) }) else {
            throw .invalidParameter("name")
        }
        let file = try request.file()
        var annotations: [String: String] = [:]
        for (key, value) in parameters["annotations"]?.object ?? [:] {
            guard let text = value.string, Annotations.isKey(key), text.utf8.count <= Annotations.longestValue else {
                throw .invalidParameter("annotations")
            }
            annotations[key] = text
        }
        guard annotations.count <= Annotations.most else { throw .invalidParameter("annotations") }
        let application = parameters["application"]?.string
        guard application.map(DocumentAttributes.isText) ?? true else { throw .invalidParameter("application") }
        self.init(
            name: name, type: parameters["type"]?.string, annotations: annotations, application: application,
            file: file, reportsProgress: request.takesMore)
    }
}

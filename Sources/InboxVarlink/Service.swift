import InboxLinux

/// Finds the method that a call names, holds the call to the interface's definition, and has it answered.
///
/// It knows neither sockets nor threads: connections ask it, one call at a time.
package struct Service {
    /// The result of a method.
    package enum Answer {
        /// One reply.
        case reply(any Encodable)
        /// A reply for each element, made when the client is ready for it, and an empty one at the end; none for nil, which
        /// is something that the caller may not know: passing over much of that takes as many turns as telling it.
        case replies(AnyIterator<(any Encodable)?>)
        /// Replies that have no end, each made when the client is ready for it and there is one.
        case feed(Feed)
        /// Replies that are made elsewhere. The client is idle while there is none yet.
        case stream(Stream)
        /// An answer that takes time: nil until it is there. The client is idle meanwhile, and asked again when
        /// something has happened.
        case later(Later)
        /// The same of something that is done while it is asked for: it is asked to its end, and before the next call, even if
        /// nobody waits for the reply.
        case deed(Later)
        /// A failure.
        case failure(ServiceError)
    }

    /// Makes the next reply.
    package typealias Feed = () -> News

    /// The next news of a feed.
    package enum News {
        /// A reply.
        case reply(any Encodable)
        /// There was something that the caller may not know: more may follow.
        case passedOver
        /// Nothing yet.
        case notYet
    }

    /// Makes the next reply of a stream.
    package typealias Stream = () -> Part

    /// The next part of a stream.
    package enum Part {
        /// A reply.
        case reply([String: JSONValue])
        /// Nothing yet.
        case notYet
        /// The last reply.
        case last([String: JSONValue])
        /// That was all: an empty reply says so.
        case end
        /// It ends with a failure.
        case failure(ServiceError)
    }

    /// Makes the answer; nil where it is not there yet.
    package typealias Later = () -> Answer?

    /// Does a method's work; the parameters fit the definition.
    package typealias Handler = (_ request: Request) -> Answer

    /// A call as a handler receives it.
    package struct Request {
        /// The input, by name; it fits the definition.
        package let parameters: [String: JSONValue]
        /// Who calls, as the kernel reports it.
        package let caller: UnixSocket.Peer
        /// The open files that came with the call, by the index that parameters refer to.
        package let files: [PassedFile]
        /// The caller accepts several replies. One who does not gets no reply of a stream but the last.
        package let takesMore: Bool
    }

    private struct Method {
        let needsMore: Bool
        let handler: Handler
    }

    private let information: ServiceInformation
    private var interfaces: [Interface] = []
    private var methods: [String: Method] = [:]

    /// A service that has `org.varlink.service` alone.
    package init(_ information: ServiceInformation) throws(InterfaceSyntaxError) {
        self.information = information
        add(try Interface(parsing: Interface.standardDefinition))
    }

    /// Adds an interface. A call of a method that has no handler gets `MethodNotImplemented`.
    package mutating func add(_ interface: Interface) {
        interfaces.append(interface)
    }

    /// Has a method, by its full name, answered by the handler.
    ///
    /// - Parameter needsMore: whether a call without `more` is refused, as befits a method with many replies.
    package mutating func handle(_ method: String, needsMore: Bool = false, by handler: @escaping Handler) {
        methods[method] = Method(needsMore: needsMore, handler: handler)
    }

    /// Answers a call.
    /// - Parameters:
    ///   - caller: who calls; nobody has no rights.
    ///   - files: what came with the call.
    package func answer(_ call: Call, from caller: UnixSocket.Peer = .nobody, with files: [PassedFile] = []) -> Answer {
        let parts = call.method.split(separator: ".", omittingEmptySubsequences: false)
        let interfaceName = parts.dropLast().joined(separator: ".")
        guard let interface = interfaces.first(where: { $0.name == interfaceName }) else {
            return .failure(.interfaceNotFound(interfaceName))
        }
        guard let member = parts.last, let definition = interface.methods[String(member)] else {
            return .failure(.methodNotFound(call.method))
        }
        // No method here hands the connection over to another protocol.
        if call.upgrade { return .failure(.invalidParameter("upgrade")) }
        if let misfit = interface.misfit(among: call.parameters, of: definition.input) {
            return .failure(.invalidParameter(misfit))
        }
        switch call.method {
        case "org.varlink.service.GetInfo":
            return .reply(Information(service: information, interfaces: interfaces.map(\.name)))
        case "org.varlink.service.GetInterfaceDescription":
            return describe(call.parameters["interface"]?.string ?? "")
        default:
            guard let method = methods[call.method] else { return .failure(.methodNotImplemented(call.method)) }
            if method.needsMore, !call.more { return .failure(.expectedMore) }
            return method.handler(
                Request(parameters: call.parameters, caller: caller, files: files, takesMore: call.more))
        }
    }

    private func describe(_ name: String) -> Answer {
        guard let interface = interfaces.first(where: { $0.name == name }) else {
            return .failure(.interfaceNotFound(name))
        }
        return .reply(["description": interface.text])
    }

    private struct Information: Encodable {
        let vendor: String
        let product: String
        let version: String
        let url: String
        let interfaces: [String]

        init(service: ServiceInformation, interfaces: [String]) {
            vendor = service.vendor
            product = service.product
            version = service.version
            url = service.url
            self.interfaces = interfaces
        }
    }
}

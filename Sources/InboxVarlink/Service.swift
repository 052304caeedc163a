/// Finds the method that a call names, holds the call to the interface's definition, and has it answered.
///
/// It knows neither sockets nor threads: connections ask it, one call at a time.
public struct Service {
    /// What a method answers.
    public enum Answer {
        /// One reply.
        case reply(any Encodable)
        /// A reply for each element, made when the client is ready for it, and an empty one at the end.
        case replies(AnyIterator<any Encodable>)
        /// Replies that have no end, each made when the client is ready for it and there is one.
        case feed(Feed)
        /// A failure.
        case failure(ServiceError)
    }

    /// Makes the next reply; nil where there is none yet.
    public typealias Feed = () -> (any Encodable)?

    /// Does a method's work; the parameters fit the definition.
    public typealias Handler = (_ parameters: [String: JSONValue]) -> Answer

    private struct Method {
        let needsMore: Bool
        let handler: Handler
    }

    private let information: ServiceInformation
    private var interfaces: [Interface] = []
    private var methods: [String: Method] = [:]

    /// A service that has `org.varlink.service` alone.
    public init(_ information: ServiceInformation) throws(InterfaceSyntaxError) {
        self.information = information
        add(try Interface(parsing: Interface.standardDefinition))
    }

    /// Adds an interface; its methods are not implemented until they get a handler.
    public mutating func add(_ interface: Interface) {
        interfaces.append(interface)
    }

    /// Has a method, by its full name, answered by the handler.
    ///
    /// - Parameter needsMore: whether a call without `more` is refused, as befits a method with many replies.
    public mutating func handle(_ method: String, needsMore: Bool = false, by handler: @escaping Handler) {
        methods[method] = Method(needsMore: needsMore, handler: handler)
    }

    /// Answers a call.
    public func answer(_ call: Call) -> Answer {
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
            return method.needsMore && !call.more ? .failure(.expectedMore) : method.handler(call.parameters)
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

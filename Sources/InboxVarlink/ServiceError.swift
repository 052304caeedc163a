/// The errors that any method of any service may answer with: those of `org.varlink.service`.
public enum ServiceError: Error, Hashable, Sendable {
    /// The service has no such interface.
    case interfaceNotFound(String)
    /// The interface has no such method; the full name.
    case methodNotFound(String)
    /// The interface has the method, the service does not do it; the full name.
    case methodNotImplemented(String)
    /// The parameter of this name is missing, unknown, of a wrong type or out of range.
    case invalidParameter(String)
    /// The client may not do this.
    case permissionDenied
    /// The method has to be called with `more`.
    case expectedMore

    /// The full name of the error.
    public var name: String {
        let member =
            switch self {
            case .interfaceNotFound: "InterfaceNotFound"
            case .methodNotFound: "MethodNotFound"
            case .methodNotImplemented: "MethodNotImplemented"
            case .invalidParameter: "InvalidParameter"
            case .permissionDenied: "PermissionDenied"
            case .expectedMore: "ExpectedMore"
            }
        return "org.varlink.service." + member
    }

    /// What the error tells, by name.
    public var parameters: [String: String] {
        switch self {
        case .interfaceNotFound(let name): ["interface": name]
        case .methodNotFound(let name), .methodNotImplemented(let name): ["method": name]
        case .invalidParameter(let name): ["parameter": name]
        case .permissionDenied, .expectedMore: [:]
        }
    }
}

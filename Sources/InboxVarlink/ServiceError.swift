/// The errors that methods may answer with: those of `org.varlink.service`, and that of `io.inboxd.Inbox`.
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
    /// Nothing can be looked at under this path: why, in words. An error of `io.inboxd.Inbox`.
    case unreachablePath(path: String, reason: String)

    /// The full name of the error.
    public var name: String {
        let member: String
        switch self {
        case .interfaceNotFound: member = "InterfaceNotFound"
        case .methodNotFound: member = "MethodNotFound"
        case .methodNotImplemented: member = "MethodNotImplemented"
        case .invalidParameter: member = "InvalidParameter"
        case .permissionDenied: member = "PermissionDenied"
        case .expectedMore: member = "ExpectedMore"
        case .unreachablePath: return "io.inboxd.Inbox.UnreachablePath"
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
        case .unreachablePath(let path, let reason): ["path": path, "reason": reason]
        }
    }
}

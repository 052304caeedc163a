/// The errors that methods may answer with: those of `org.varlink.service`, and those of `io.inboxd.Inbox`.
package enum ServiceError: Error, Hashable, Sendable {
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
    /// Nothing can be inspected under this path: why, in words. An error of `io.inboxd.Inbox`.
    case unreachablePath(path: String, reason: String)
    /// The configuration on disk is broken: each problem in a line. An error of `io.inboxd.Inbox`.
    case brokenConfiguration([String])
    /// A document could not be delivered: why, in words. An error of `io.inboxd.Inbox`.
    case notDelivered(reason: String)
    /// A file was not read, because the filesystem that it lies on may never answer: why, in words. An error of
    /// `io.inboxd.Inbox`.
    case foreignFile(reason: String)
    /// A filed document was not put back: in one word, and in words for a person. An error of `io.inboxd.Inbox`.
    case notUndone(id: String, reason: String, detail: String)
    /// The history cannot be read: why, in words. An error of `io.inboxd.Inbox`.
    case unreadableHistory(reason: String)
    /// The client is one too many. An error of `io.inboxd.Inbox`.
    case tooManyConnections
    /// The daemon has too many files open to serve the client. An error of `io.inboxd.Inbox`.
    case tooManyOpenFiles

    /// The full name of the error.
    package var name: String {
        let member: String
        switch self {
        case .interfaceNotFound: member = "InterfaceNotFound"
        case .methodNotFound: member = "MethodNotFound"
        case .methodNotImplemented: member = "MethodNotImplemented"
        case .invalidParameter: member = "InvalidParameter"
        case .permissionDenied: member = "PermissionDenied"
        case .expectedMore: member = "ExpectedMore"
        case .unreachablePath: return "io.inboxd.Inbox.UnreachablePath"
        case .brokenConfiguration: return "io.inboxd.Inbox.BrokenConfiguration"
        case .notDelivered: return "io.inboxd.Inbox.NotDelivered"
        case .foreignFile: return "io.inboxd.Inbox.ForeignFile"
        case .notUndone: return "io.inboxd.Inbox.NotUndone"
        case .unreadableHistory: return "io.inboxd.Inbox.UnreadableHistory"
        case .tooManyConnections: return "io.inboxd.Inbox.TooManyConnections"
        case .tooManyOpenFiles: return "io.inboxd.Inbox.TooManyOpenFiles"
        }
        return "org.varlink.service." + member
    }

    /// The members of the error's message, by name.
    package var parameters: [String: JSONValue] {
        switch self {
        case .interfaceNotFound(let name): ["interface": .string(name)]
        case .methodNotFound(let name), .methodNotImplemented(let name): ["method": .string(name)]
        case .invalidParameter(let name): ["parameter": .string(name)]
        case .permissionDenied, .expectedMore, .tooManyConnections, .tooManyOpenFiles: [:]
        case .unreachablePath(let path, let reason): ["path": .string(path), "reason": .string(reason)]
        case .brokenConfiguration(let problems): ["problems": .array(problems.map(JSONValue.string))]
        case .notUndone(let id, let reason, let detail):
            ["id": .string(id), "reason": .string(reason), "detail": .string(detail)]
        case .notDelivered(let reason), .foreignFile(let reason), .unreadableHistory(let reason):
            ["reason": .string(reason)]
        }
    }
}

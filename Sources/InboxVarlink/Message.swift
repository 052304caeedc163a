import FoundationEssentials

/// A request of a client (https://varlink.org/Method-Call).
package struct Call: Hashable, Sendable {
    /// The interface's name, a dot, and the method's.
    package var method: String
    /// The input, by name; empty where the message has none or `null`.
    package var parameters: [String: JSONValue]
    /// No reply is to be sent, not even an error.
    package var oneway: Bool
    /// The client accepts several replies.
    package var more: Bool
    /// The client asks for another protocol on the connection from here on.
    package var upgrade: Bool

    /// A call of that method.
    package init(
        _ method: String, _ parameters: [String: JSONValue] = [:], oneway: Bool = false, more: Bool = false,
        upgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.oneway = oneway
        self.more = more
        self.upgrade = upgrade
    }

    /// Reads a message; what is malformed is named by the member at fault.
    package init(parsing message: [UInt8]) throws(MalformedMessage) {
        let members = try MalformedMessage.members(
            of: message, known: ["method", "parameters", "oneway", "more", "upgrade"])
        guard let method = members["method"]?.string else { throw MalformedMessage(member: "method") }
        self.method = method
        parameters = try MalformedMessage.parameters(members)
        oneway = try MalformedMessage.flag("oneway", members)
        more = try MalformedMessage.flag("more", members)
        upgrade = try MalformedMessage.flag("upgrade", members)
        // At most one of them has a meaning at a time.
        if more, oneway || upgrade { throw MalformedMessage(member: "more") }
        if oneway, upgrade { throw MalformedMessage(member: "upgrade") }
    }

    /// The message with its NUL.
    package var bytes: [UInt8] {
        var members: [String: JSONValue] = ["method": .string(method)]
        if !parameters.isEmpty { members["parameters"] = .object(parameters) }
        for (name, flag) in [("oneway", oneway), ("more", more), ("upgrade", upgrade)] where flag {
            members[name] = .bool(true)
        }
        return Array(JSONValue.object(members).text.utf8) + [0]
    }
}

/// An answer of a service, as a client reads it.
package struct Reply: Hashable, Sendable {
    /// The output, or what the error carries, by name.
    package var parameters: [String: JSONValue]
    /// Another reply to the same call follows.
    package var continues: Bool
    /// The full name of the error, where the call failed.
    package var error: String?

    /// Reads a message; members that are unknown are left alone, so that services can grow.
    package init(parsing message: [UInt8]) throws(MalformedMessage) {
        let members = try MalformedMessage.members(of: message, known: nil)
        parameters = try MalformedMessage.parameters(members)
        continues = try MalformedMessage.flag("continues", members)
        switch members["error"] {
        case nil, .null: error = nil
        case .string(let name): error = name
        default: throw MalformedMessage(member: "error")
        }
    }

    /// The message of a reply with its NUL, in one pass from JSON to bytes: what is sent by the thousand.
    static func bytes(_ parameters: [String: JSONValue], continues: Bool, error: String? = nil) -> [UInt8] {
        var members: [String: JSONValue] = ["parameters": .object(parameters)]
        if continues { members["continues"] = .bool(true) }
        if let error { members["error"] = .string(error) }
        var writer = JSONWriter()
        writer.append(.object(members))
        return writer.bytes + [0]
    }

    /// The message of a reply with its NUL, in one pass from plain structures to bytes.
    static func bytes(
        _ parameters: some Encodable, continues: Bool = false, error: String? = nil
    ) throws(MalformedMessage) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let envelope = Envelope(continues: continues ? true : nil, error: error, parameters: parameters)
            return try Array(encoder.encode(envelope)) + [0]
        } catch {
            // A number that JSON does not have is the only way here.
            throw MalformedMessage(member: "parameters")
        }
    }

    private struct Envelope<Parameters: Encodable>: Encodable {
        let continues: Bool?
        let error: String?
        let parameters: Parameters
    }
}

/// A message that breaks the protocol, after which nothing on its connection can be trusted.
package struct MalformedMessage: Error, Hashable {
    /// The member at fault; `message` where the whole is no JSON object.
    package let member: String

    static func members(
        of message: [UInt8], known: Set<String>?
    ) throws(MalformedMessage) -> [String: JSONValue] {
        let members: [String: JSONValue]?
        do throws(JSONError) {
            members = try JSONValue(parsing: message).object
        } catch {
            members = nil
        }
        guard let members else { throw MalformedMessage(member: "message") }
        // A name with a dot is a vendor's extension, and left alone by those who do not know it.
        if let known, let stranger = members.keys.sorted().first(where: { !known.contains($0) && !$0.contains(".") }) {
            throw MalformedMessage(member: stranger)
        }
        return members
    }

    static func parameters(_ members: [String: JSONValue]) throws(MalformedMessage) -> [String: JSONValue] {
        switch members["parameters"] {
        case nil, .null: return [:]
        case .object(let parameters): return parameters
        default: throw MalformedMessage(member: "parameters")
        }
    }

    static func flag(_ name: String, _ members: [String: JSONValue]) throws(MalformedMessage) -> Bool {
        switch members[name] {
        case nil, .null: return false
        case .bool(let flag): return flag
        default: throw MalformedMessage(member: name)
        }
    }
}

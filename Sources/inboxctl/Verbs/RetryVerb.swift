import InboxCore
import InboxLinux
import InboxVarlink

extension Verb {
    static let retry = Verb(
        name: "retry", operands: "[PATH…]", summary: "try again what is held or failed, and accept disks as they are",
        options: []
    ) { invocation throws(CommandFailure) in
        let daemon = try Daemon(invocation)
        if invocation.arguments.operands.isEmpty { _ = try daemon.call("Retry") }
        for path in invocation.arguments.operands {
            _ = try daemon.call("Retry", ["path": .string(BytePath.absolute(path).escapedText)])
        }
        return .done
    }
}

extension BytePath {
    /// A path as it was typed, for a daemon that has a working directory of its own.
    static func absolute(_ path: [UInt8]) -> BytePath {
        BytePath(bytes: Process.workingDirectory ?? []).appending(BytePath(bytes: path))
    }
}

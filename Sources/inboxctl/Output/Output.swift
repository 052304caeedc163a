import InboxCore
import InboxLinux

/// Where results go. Text is gathered and written in large parts.
final class Output {
    /// What can be shown there.
    let screen: Screen
    private let sink: ([UInt8]) throws(SyscallError) -> Void
    private var pending: [UInt8] = []
    /// Whether nobody reads it any more.
    private(set) var isAbandoned = false

    /// - Parameter sink: takes bytes; standard output outside of the tests.
    init(screen: Screen, sink: @escaping ([UInt8]) throws(SyscallError) -> Void) {
        self.screen = screen
        self.sink = sink
    }

    /// Adds text.
    func write(_ text: String) throws(CommandFailure) {
        pending += text.utf8
        if pending.count > 32 * 1024 { try flush() }
    }

    /// Hands over what was gathered.
    func flush() throws(CommandFailure) {
        guard !pending.isEmpty else { return }
        defer { pending = [] }
        do throws(SyscallError) {
            try sink(pending)
        } catch {
            isAbandoned = error.errno.isHangUp
            throw .failed("standard output: \(error.errno)")
        }
    }
}

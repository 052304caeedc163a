import InboxConfiguration
import InboxLinux

/// Where results go. Text is gathered and written in large parts.
final class Output {
    /// The capabilities of standard output.
    private(set) var screen: Screen
    private let sink: ([UInt8]) throws(SyscallError) -> Void
    private var pending: [UInt8] = []
    /// Nobody reads the output any more.
    private(set) var isAbandoned = false

    /// - Parameter sink: takes bytes; standard output outside of the tests.
    init(screen: Screen, sink: @escaping ([UInt8]) throws(SyscallError) -> Void) {
        self.screen = screen
        self.sink = sink
    }

    /// Takes note that the terminal may have another size now; nil where there is none.
    func resize(to size: (width: Int, height: Int)?) { screen = screen.resized(to: size) }

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

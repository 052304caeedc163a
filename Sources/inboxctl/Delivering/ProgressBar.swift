import InboxConfiguration
import InboxFiling
import InboxLinux

/// Shows on a terminal how far a delivery is, once it takes longer than a second: bytes, rate and the time that is left.
final class ProgressBar {
    private let name: FileName
    private let size: Int64?
    private let invocation: Invocation
    private let begun: Instant
    /// When it is drawn; nil where nobody looks.
    private var pace: ProgressPace?
    private var isShown = false

    /// - Parameter size: how many bytes there are to be; nil where nobody knows.
    init(_ name: FileName, size: Int64?, _ invocation: Invocation) {
        self.name = name
        self.size = size
        self.invocation = invocation
        begun = invocation.surroundings.clock()
        pace = invocation.output.screen.isTerminal && !invocation.wantsJSON ? ProgressPace(begun: begun) : nil
    }

    /// Shows that so many bytes are written; true always, since nothing ends a delivery but its end.
    func show(_ done: Int64) -> Bool {
        let now = invocation.surroundings.clock()
        guard pace?.isDue(at: now) == true else { return true }
        isShown = true
        invocation.output.resize(to: invocation.surroundings.terminalSize())
        let line = Self.line(
            printable(name.bytes), done: done, size: size, after: now - begun,
            width: invocation.output.screen.width ?? 80)
        draw("\r" + line + "\u{1B}[K")
        return true
    }

    /// Takes the bar away.
    func end() {
        if isShown { draw("\r\u{1B}[K") }
        isShown = false
    }

    private func draw(_ text: String) {
        do throws(CommandFailure) {
            try invocation.output.write(text)
            try invocation.output.flush()
        } catch {
            // Nobody looks: the delivery goes on.
            pace = nil
        }
    }

    /// The line: `scan.pdf  [######······]  1.2 GB of 2.0 GB  120 MB/s  7 s left`.
    static func line(_ name: String, done: Int64, size: Int64?, after span: Duration, width: Int) -> String {
        let seconds = Double(span.components.seconds) + Double(span.components.attoseconds) / 1e18
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let speed = sizeInWords(Int64(rate)) + "/s"
        guard let size, size > 0 else {
            return "\(name.shortened(to: max(8, width - 32)))  \(sizeInWords(done))  \(speed)".clipped(to: width - 1)
        }
        let left = rate > 0 ? "\(spanInWords(seconds: Int64(Double(size - done) / rate) + 1)) left" : ""
        let numbers = "\(sizeInWords(done)) of \(sizeInWords(size))  \(speed)  \(left)"
        let room = width - 1 - numbers.displayWidth - 6
        guard room >= 20 else { return numbers.clipped(to: width - 1) }
        let shown = name.shortened(to: room / 2)
        let columns = min(40, room - shown.displayWidth)
        let full = Int(Double(columns) * Double(min(done, size)) / Double(size))
        let bar = String(repeating: "#", count: full) + String(repeating: "·", count: columns - full)
        return "\(shown)  [\(bar)]  \(numbers)"
    }
}

import InboxLinux
import Synchronization

/// Asks the mounts of servers and of programs (NFS, SMB, FUSE) whether they answer.
///
/// A server that hangs blocks whoever calls it, without an error, and a loop that is blocked is killed by the watchdog,
/// again after each restart. So a mount is not touched before it has answered once, and not while it is late; a thread
/// of its own waits for each answer.
package final class MountProbes {
    /// How long an answer may take.
    package static let patience = Duration.seconds(3)
    /// How long after a question was asked the next one is.
    private static let pause = Duration.seconds(5)

    private struct Probe {
        let path: BytePath
        /// The number of the question that is not answered yet; nil between two questions.
        var question: Int?
        var asked: Instant
        var hasAnswered = false

        func isLate(at now: Instant) -> Bool { question != nil && asked + MountProbes.patience <= now }
        func isSilent(at now: Instant) -> Bool { !hasAnswered || isLate(at: now) }
    }

    /// The numbers of answered questions, given by the threads that asked.
    private final class Answers: Sendable {
        let bell: Bell
        private let numbers = Mutex<Set<Int>>([])

        init() throws(SyscallError) { bell = try Bell() }

        func give(_ number: Int) {
            numbers.withLock { numbers in
                if numbers.isEmpty { bell.ring() }
                numbers.insert(number)
            }
        }

        func take() throws(SyscallError) -> Set<Int> {
            try numbers.withLock { (numbers) throws(SyscallError) in
                // The bell rings as long as there are numbers: without one there is nothing to silence.
                if numbers.isEmpty { return [] }
                try bell.silence()
                defer { numbers = [] }
                return numbers
            }
        }
    }

    private let answers: Answers
    private var probes: [UInt64: Probe] = [:]
    private var questions = 0
    private var now = Instant.now()

    /// Nothing is asked yet.
    package init() throws(SyscallError) { answers = try Answers() }

    /// Lends the descriptor that is readable when a mount has answered.
    package func withBell<Failure: Error>(
        _ body: (borrowing FileDescriptor) throws(Failure) -> Void
    ) throws(Failure) { try body(answers.bell.descriptor) }

    /// The mounts that are not to be touched.
    package var silent: Set<BytePath> { paths { $0.isSilent(at: now) } }

    /// Those of them that have been waited for long enough to call it a problem.
    package var late: Set<BytePath> { paths { $0.isLate(at: now) } }

    private func paths(_ isMeant: (Probe) -> Bool) -> Set<BytePath> {
        Set(probes.values.filter(isMeant).map(\.path))
    }

    /// These are the mounts now, by their numbers: those that are new are asked.
    package func follow(_ mounts: [UInt64: BytePath], at now: Instant) throws(SyscallError) {
        self.now = now
        probes = probes.filter { mounts[$0.key] == $0.value.path }
        for (number, path) in mounts where probes[number] == nil {
            probes[number] = Probe(path: path, question: nil, asked: now)
            try ask(number)
        }
    }

    /// Asks again where that is due.
    package func proceed(at now: Instant) throws(SyscallError) {
        self.now = now
        for (number, probe) in probes where probe.question == nil && probe.asked + Self.pause <= now {
            try ask(number)
        }
    }

    /// Takes the answers that have arrived.
    package func takeAnswers(at now: Instant) throws(SyscallError) {
        self.now = now
        let answered = try answers.take()
        for (number, probe) in probes where probe.question.map(answered.contains) == true {
            probes[number]?.question = nil
            probes[number]?.hasAnswered = true
        }
    }

    /// Waits until each mount has answered, though not for longer than this.
    package func awaitAnswers(atMost limit: Duration) throws(SyscallError) {
        let end = Instant.now() + limit
        while !silent.isEmpty, now <= end {
            answers.bell.awaitRing(until: end)
            try takeAnswers(at: .now())
        }
    }

    /// When there is something to ask or to call late.
    package var nextDeadline: Instant {
        probes.values.lazy.map { probe in
            probe.question == nil
                ? probe.asked + Self.pause : probe.isLate(at: self.now) ? .never : probe.asked + Self.patience
        }.min() ?? .never
    }

    private func ask(_ number: UInt64) throws(SyscallError) {
        guard let path = probes[number]?.path else { return }
        questions += 1
        let (question, answers) = (questions, answers)
        probes[number]?.asked = now
        do throws(SyscallError) {
            try BackgroundThread.start {
                MountAnswer.wait(at: path)
                answers.give(question)
            }
        } catch {
            // Without a thread nothing is known of it: left alone for that, what is there would never be filed.
            probes[number]?.hasAnswered = true
            throw error
        }
        probes[number]?.question = question
    }
}

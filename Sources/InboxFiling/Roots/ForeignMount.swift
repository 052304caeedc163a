import InboxLinux
import Synchronization

/// The reason why a call on a foreign mount has no result.
package enum MountError<Failure: Error>: Error {
    /// The mount does not answer: what is there is to be inspected later.
    case silent(BytePath)
    /// The call failed.
    case failed(Failure)
}

/// One mount of a server or a program: whether it answers, and the thread that makes the calls there.
package final class ForeignMount {
    /// The time that an answer may take when a thread of the mount's own waits for it.
    package static let patience = Duration.seconds(3)
    /// The time for which a mount may be in trouble before that counts as a problem; also the time for which a mount
    /// that serves no calls has to answer its questions until the trouble is over.
    private static let longestTrouble = Duration.seconds(20)
    /// The time between two questions if somebody may be waiting for the mount.
    private static let haste = Duration.seconds(1)
    /// The time between two questions otherwise.
    private static let pause = Duration.seconds(5)

    /// The mount's entry in the table of mounts.
    private let mount: MountTable.Mount
    /// The mount was made by somebody who is not trusted, so that nothing is ever touched there.
    let isClosed: Bool
    /// Nil where nothing was asked yet, or no thread could be had: then it counts as silent.
    private var thread: CallThread?
    /// The number of calls that were handed to the thread and have not returned.
    private var underWay = 0
    /// When it was last asked whether it answers, and whether that is the call that was handed over last.
    private var question: (asked: Instant, isLast: Bool)
    /// Nil while it answers.
    private var silence: Silence?
    /// Nil while it serves calls.
    private var trouble: Trouble?
    private var callPatience = CallPatience()

    /// A mount of which nothing is known: silent until it has answered once.
    init(_ mount: MountTable.Mount, isClosed: Bool, at now: Instant) {
        self.mount = mount
        self.isClosed = isClosed
        question = (now, false)
        beginSilence(since: now)
    }

    /// The mount is silent: nothing may be touched there.
    package var isSilent: Bool { silence != nil }

    /// Where it is mounted.
    package var path: BytePath { mount.path }

    /// Its number, which no other mount has.
    package var number: UInt64 { mount.identifier }

    /// Who has made it, where that is nobody to trust.
    package var stranger: UInt32? { isClosed ? mount.user : nil }

    /// The mount has a thread.
    var hasThread: Bool { thread != nil }

    /// Returns whether the mount has been silent for long enough to call that a problem. An answer from a distant
    /// server is late now and then, which is no problem as long as it arrives.
    func isLate(at now: Instant) -> Bool {
        trouble?.isProblem == true || lateness.map { $0 <= now } ?? false
    }

    /// When its silence is a problem; nil while it answers.
    private var lateness: Instant? {
        guard let silence, let trouble else { return nil }
        return min(silence.lastReturn + Self.patience, trouble.since + Self.longestTrouble)
    }

    /// When its trouble is over, if it answers until then and is not called; nil while it is silent.
    private var recovery: Instant? {
        guard silence == nil, let trouble, !trouble.isOver else { return nil }
        return trouble.last + Self.longestTrouble
    }

    /// It does not answer in time from now on, so that nothing is touched there.
    private func beginSilence(since start: Instant, isHeeded: Bool = true) {
        silence = Silence(since: start, lastReturn: start, isHeeded: isHeeded)
        if trouble == nil { trouble = Trouble(since: start, last: start) }
        trouble?.isOver = false
    }

    /// Returns the time that the loop waits for a call that begins now.
    func wait(at now: Instant) -> Duration {
        callPatience.wait(at: now, behind: question.isLast && underWay > 0 ? question.asked : nil)
    }

    /// Hands a call to the thread.
    func perform(_ call: @escaping @Sendable () -> Void) {
        underWay += 1
        question.isLast = false
        thread?.perform(call)
    }

    /// Asks whether it answers, where that is due.
    /// - Parameters:
    ///   - isUrgent: whether somebody may be waiting for it now.
    ///   - mayStart: whether it may have a thread.
    ///   - done: called on the thread when it has answered.
    func ask(at now: Instant, isUrgent: Bool, mayStart: Bool, _ done: @escaping @Sendable () -> Void) {
        guard underWay == 0 else { return }
        if thread != nil {
            guard isSilent || question.asked + (isUrgent ? Self.haste : Self.pause) <= now else { return }
        } else if question.asked <= now {
            do throws(SyscallError) { thread = mayStart ? try CallThread() : nil } catch {
                // It is silent until there is one.
            }
            // The next try.
            question.asked = now + Self.pause
        }
        guard thread != nil else { return }
        let path = path
        perform {
            MountAnswer.wait(at: path)
            done()
        }
        question.isLast = true
        question.asked = now
    }

    /// Takes note of the time: a question may be unanswered for too long.
    func note(_ now: Instant) {
        if let recovery, recovery <= now {
            if trouble?.hasFailed == true { trouble?.pause() } else { trouble = nil }
        }
        guard question.isLast, underWay > 0, question.asked + Self.patience <= now else { return }
        if silence == nil { beginSilence(since: question.asked) }
    }

    /// The loop has waited for a call, which took so long: the mount is used.
    func note(took: Duration, at now: Instant) {
        callPatience.note(took: took, at: now)
        if silence == nil { trouble = nil }
    }

    /// The loop has waited in vain for a call that began then.
    func abandon(since start: Instant, at now: Instant) {
        beginSilence(since: start, isHeeded: false)
        trouble?.hasFailed = true
        callPatience.noteAbandoned(at: now)
    }

    /// Everybody knows whether it is silent.
    func noteHeeded() { silence?.isHeeded = true }

    /// So many calls have returned, the last of them at this instant.
    func take(answers count: Int, at instant: Instant) {
        underWay -= count
        if isLate(at: instant) { trouble?.isProblem = true }
        silence?.lastReturn = instant
        guard underWay == 0 else { return }
        guard question.isLast else {
            // Else the loop has waited for the call itself, and knows how long it took.
            if let silence { callPatience.note(took: instant - silence.since, at: instant) }
            return
        }
        question.isLast = false
        let took = instant - question.asked
        callPatience.note(took: took, at: instant)
        // A mount that was silent is used again when the loop would have waited for this answer.
        guard let silence, silence.isHeeded, took <= CallPatience.most else { return }
        self.silence = nil
        trouble?.last = instant
    }

    /// When there is something to ask, or to call silent or late.
    func nextDeadline(after now: Instant) -> Instant {
        if thread == nil { return question.asked }
        if let lateness { return underWay == 0 ? now : isLate(at: now) ? .never : lateness }
        let answer = underWay > 0 && question.isLast ? question.asked + Self.patience : question.asked + Self.pause
        return min(answer, recovery ?? .never)
    }

    /// Nothing is asked any more; the thread ends when its last call has returned.
    func end() { thread?.end() }

    /// A time in which it does not answer.
    private struct Silence {
        let since: Instant
        /// When a call last returned; when it began, until one does.
        var lastReturn: Instant
        /// Everybody knows of the silence: work there was abandoned, and its documents will be found anew.
        var isHeeded: Bool
    }

    /// A time in which it serves no call, though it may answer questions between its silences.
    private struct Trouble {
        let since: Instant
        /// When its last silence ended; when it began, until then.
        var last: Instant
        /// The trouble was a problem when a silence ended, and so remains one until it is over.
        var isProblem = false
        /// The loop has waited in vain for a call.
        var hasFailed = false
        /// The mount has answered for long enough. As long as it serves no call, its next silence is a problem at
        /// once: otherwise rare calls that are all in vain would never be one.
        var isOver = false

        mutating func pause() {
            isOver = true
            isProblem = false
        }
    }
}

/// The result of a call, passed from the thread that makes it to the loop, unless the loop has given up waiting: then
/// it is destroyed on the thread, since even closing a descriptor can wait for the server.
final class CallResult<Value: Sendable>: Sendable {
    private enum State {
        case awaited
        case there(Value)
        case unwanted
    }

    private let state = Mutex(State.awaited)

    /// The call has returned.
    var isThere: Bool {
        state.withLock { state in
            if case .there = state { true } else { false }
        }
    }

    func put(_ value: Value) {
        state.withLock { state in
            if case .awaited = state { state = .there(value) }
        }
    }

    /// Takes the result; nil if the call has not returned, and then the result is no longer wanted.
    func take() -> Value? {
        state.withLock { state in
            defer { state = .unwanted }
            if case .there(let value) = state { return value }
            return nil
        }
    }
}

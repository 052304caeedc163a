import InboxConfiguration
import InboxFiling
import InboxLinux

/// One try of a handler, on a thread of its own.
struct HandlerRun: Sendable {
    /// The document.
    let document: HandledDocument
    /// What is started for it.
    let plan: HandlerPlan
    /// Which try it is, counted from 1.
    let number: Int
    /// How long it may take.
    let timeout: Duration
    /// Where the document was filed.
    let place: FiledPlace
    let journal: HandlerJournal
    let control: HandlerControl
    /// Gets what the program leaves in its group.
    let left: LeftGroups

    /// Runs the handler, and hands over the lines that it writes.
    /// - Parameter ended: receives the outcome; what the program leaves in its group may go on until the timeout.
    func perform(wrote: ([UInt8]) -> Void, ended: (HandlerEnding, Duration) -> Void) {
        let start = Instant.now()
        switch find() {
        case .document(let input):
            // From here on whoever ends everything waits for it.
            guard control.leaveSearch() else { return ended(.abandoned, .zero) }
            do throws(SyscallError) { try journal.begin(document.id, try: number) } catch {
                return ended(.short("cannot write the state folder: \(error.errno)"), .zero)
            }
            run(on: input, from: start, wrote: wrote, ended: ended)
        case .none(let ending): ended(ending, .zero)
        }
    }

    private func run(
        on input: OpenFile, from start: Instant, wrote: ([UInt8]) -> Void, ended: (HandlerEnding, Duration) -> Void
    ) {
        let deadline = timeout >= TimeSpan.infinity ? Instant.never : start + timeout
        do throws(SyscallError) {
            var program = try StartedProgram(
                plan.program, plan.arguments, environment: plan.environment, input: input.descriptor, until: deadline
            ) { number in
                if let number { control.begin(number) } else { control.end() }
            }
            let ending = result(of: &program, until: deadline, wrote)
            withdraw(ending)
            // Whoever ends everything reaches the program's group by the one or the other.
            control.end()
            left.insert(program.leave(), until: deadline)
            ended(ending, .now() - start)
        } catch {
            let words =
                error.errno == .noEntry
                ? "there is no program \(plan.program), or not the interpreter that its first line names"
                : error.words(at: plan.program)
            let ending: HandlerEnding = error.errno.isWantOfProcesses ? .short(words) : .failed(words)
            withdraw(ending)
            ended(ending, .now() - start)
        }
    }

    /// Takes back what the journal says of a try that does not count. Should that fail, it counts after a crash alone.
    private func withdraw(_ ending: HandlerEnding) {
        guard !ending.isTry else { return }
        do throws(SyscallError) { try journal.begin(document.id, try: number - 1) } catch {
            // One of the tries that an interrupted handler has is lost, and nothing else.
        }
    }

    /// Follows the program to its end, whatever happens.
    private func result(
        of program: inout StartedProgram, until deadline: Instant, _ wrote: ([UInt8]) -> Void
    ) -> HandlerEnding {
        do throws(SyscallError) {
            var output = HandlerOutput()
            let isDue = try follow(&program, until: deadline, &output, wrote)
            if isDue { program.kill() }
            let ending = try program.ending()
            try drain(&program, &output, wrote)
            if output.dropped > 0 { wrote(Array("(\(output.dropped) more lines are dropped)".utf8)) }
            return outcome(ending, isDue: isDue)
        } catch {
            program.kill()
            return .failed("cannot follow \(plan.program): \(error.errno)")
        }
    }

    private func outcome(_ ending: StartedProgram.Ending, isDue: Bool) -> HandlerEnding {
        if control.isAbandoned { return .abandoned }
        if isDue { return .timedOut }
        return switch ending {
        case .exited(let status): .exited(status)
        case .killed(let signal): .killed(signal)
        }
    }

    /// What has the document's name, beneath the root and through no link.
    private enum Found {
        /// The document, open.
        case document(OpenFile)
        /// Nothing that the handler could begin with, so that the try ends in this way.
        case none(HandlerEnding)
    }

    /// A server that has ceased to answer may keep it waiting.
    private func find() -> Found {
        guard let name = document.path.names.last else { return .none(.gone) }
        do throws(SyscallError) {
            guard let folder = try place.openFolder() else { return .none(missing(.gone)) }
            // Nothing else is opened, and what was opened may be something else by then.
            guard try isDocument(folder.directory.status(of: name), folder.directory.descriptor) else {
                return .none(missing(.replaced))
            }
            let file = OpenFile(try folder.directory.file(name))
            guard try isDocument(file.descriptor.status(), file.descriptor) else { return .none(missing(.replaced)) }
            return .document(file)
        } catch {
            if error.errno.isAbsent { return .none(missing(.gone)) }
            let words = error.words(at: document.path)
            guard error.errno.isServerAway else {
                return .none(error.errno.isWantOfProcesses ? .postponed(words) : .failed(words))
            }
            // Where all that is remembered answers, what is beside the document may be on another server.
            return .none(.unreachable(place.obstacle()?.path ?? document.path.parent ?? document.path, words))
        }
    }

    /// What it means that the document is not there: its disk may be missing for a while.
    private func missing(_ ending: HandlerEnding) -> HandlerEnding {
        if let (path, error) = place.obstacle() { return .unreachable(path, "\(error)") }
        // Whoever puts a configuration in force has the former roots forgotten, and with them which disks they were on.
        guard place.isKnown else {
            return .failed(
                "it is not found on a safe path, and lies in none of the configuration's destinations any more")
        }
        return ending
    }

    private func isDocument(
        _ found: FileStatus, _ descriptor: borrowing FileDescriptor
    ) throws(SyscallError) -> Bool {
        document.accepts(found, on: try Filesystem(of: descriptor), user: Process.user)
    }

    /// Follows the program until it ends; whether the deadline has come before.
    private func follow(
        _ program: inout StartedProgram, until deadline: Instant, _ output: inout HandlerOutput,
        _ wrote: ([UInt8]) -> Void
    ) throws(SyscallError) -> Bool {
        while true {
            switch try program.wait(until: deadline) {
            case .wrote(let bytes): output.take(bytes).forEach(wrote)
            case .ended: return false
            case .due: return true
            }
        }
    }

    /// What it has written before its end; it is not waited for more.
    private func drain(
        _ program: inout StartedProgram, _ output: inout HandlerOutput, _ wrote: ([UInt8]) -> Void
    ) throws(SyscallError) {
        // A pipe holds no more than 1 MiB; whatever a process of its group goes on writing is not waited for.
        var rest = 1 << 20
        while rest > 0 {
            guard let bytes = try program.written(), !bytes.isEmpty else { break }
            rest -= bytes.count
            output.take(bytes).forEach(wrote)
        }
        if let line = output.finish() { wrote(line) }
    }
}

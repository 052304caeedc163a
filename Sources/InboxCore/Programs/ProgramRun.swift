import InboxLinux

/// One run of a program that a user has configured: a check, a handler, or what sends a notice. It is started without
/// capabilities in a process group of its own, followed, killed when its time is up, and reaped.
struct ProgramRun: Sendable {
    /// The fate of the processes that a program leaves in its group.
    enum Remains: Sendable {
        /// They are followed, and killed at the deadline.
        case followed(LeftGroups)
        /// They are killed when the program ends.
        case killed
    }

    /// The program that is started.
    let plan: ProgramPlan
    /// Then it is killed, unless ``perform(on:admitted:taking:)`` gets another instant.
    var deadline = Instant.never
    /// Its standard error is read apart from its standard output.
    var separatesErrors = false
    /// The reach of the loop into the run.
    let control: ProgramControl
    let remains: Remains

    /// Runs the program on this thread, until it has ended.
    /// - Parameters:
    ///   - input: its standard input.
    ///   - admit: may wait, while all is prepared, until the program may begin, and returns its deadline.
    ///   - take: receives what it writes.
    func perform(
        on input: borrowing FileDescriptor, admitted admit: (() -> Instant)? = nil,
        taking take: (ProgramStream, [UInt8]) -> Void
    ) -> ProgramEnding {
        do throws(SyscallError) {
            var deadline = deadline
            var program = try StartedProgram(
                plan.program, plan.arguments, environment: plan.environment, input: input,
                separatesErrors: separatesErrors,
                numbered: { if let number = $0 { control.begin(number) } else { control.end() } },
                admitted: {
                    if let admit { deadline = admit() }
                    return deadline
                })
            let ending = result(of: &program, until: deadline, take)
            switch remains {
            case .followed(let groups):
                // Whoever ends everything reaches the program's group by the one or the other.
                control.end()
                groups.insert(program.leave(), until: deadline)
            case .killed:
                program.kill()
                control.end()
                program.leave().free()
            }
            return ending
        } catch {
            let words =
                error.errno == .noEntry
                ? "there is no program \(plan.program), or not the interpreter that its first line names"
                : error.words(at: plan.program)
            return error.errno.isWantOfProcesses ? .short(words) : .failed(words)
        }
    }

    /// Runs the program, and hands over the lines that it writes, as far as the log is to have them.
    func perform(on input: borrowing FileDescriptor, wrote: ([UInt8]) -> Void) -> ProgramEnding {
        var output = ProgramOutput()
        let ending = perform(on: input) { _, bytes in output.take(bytes).forEach(wrote) }
        if let line = output.finish() { wrote(line) }
        if output.dropped > 0 { wrote(Array("(\(output.dropped) more lines are dropped)".utf8)) }
        return ending
    }

    /// Follows the program to its end, whatever happens.
    private func result(
        of program: inout StartedProgram, until deadline: Instant, _ take: (ProgramStream, [UInt8]) -> Void
    ) -> ProgramEnding {
        do throws(SyscallError) {
            let isDue = try follow(&program, until: deadline, take)
            if isDue { program.kill() }
            let ending = try program.ending()
            try drain(&program, take)
            if control.isAbandoned { return .abandoned }
            if isDue { return .timedOut }
            return switch ending {
            case .exited(let status): .exited(status)
            case .killed(let signal): .killed(signal)
            }
        } catch {
            program.kill()
            return .failed("cannot follow \(plan.program): \(error.errno)")
        }
    }

    /// Follows the program until it ends; whether the deadline has come before.
    private func follow(
        _ program: inout StartedProgram, until deadline: Instant, _ take: (ProgramStream, [UInt8]) -> Void
    ) throws(SyscallError) -> Bool {
        while true {
            switch try program.wait(until: deadline) {
            case .wrote(let bytes): take(.output, bytes)
            case .complained(let bytes): take(.errors, bytes)
            case .ended: return false
            case .due: return true
            }
        }
    }

    /// Takes the output that the program wrote before its end, and does not wait for more.
    private func drain(
        _ program: inout StartedProgram, _ take: (ProgramStream, [UInt8]) -> Void
    ) throws(SyscallError) {
        // A pipe holds no more than 1 MiB; whatever a process of its group goes on writing is not waited for.
        var rest = 1 << 20
        while rest > 0, let bytes = try program.written(), !bytes.isEmpty {
            rest -= bytes.count
            take(.output, bytes)
        }
        rest = 1 << 20
        while rest > 0, let bytes = try program.complained(), !bytes.isEmpty {
            rest -= bytes.count
            take(.errors, bytes)
        }
    }
}

/// Where a program writes.
enum ProgramStream: Sendable {
    /// Its standard output, and its standard error where that is not read apart.
    case output
    /// Its standard error.
    case errors
}

/// The end of one run of a program.
enum ProgramEnding: Sendable, Hashable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
    /// It was killed at its deadline.
    case timedOut
    /// It could not be started, in words.
    case failed(String)
    /// It could not be started because something is short for a while, as it is for others, in words.
    case short(String)
    /// It was killed because the daemon ends, or the run is not needed any more.
    case abandoned
}

import InboxConfiguration
import InboxFiling
import InboxLinux

/// One try of a handler, on a thread of its own.
struct HandlerRun: Sendable {
    /// The document.
    let document: HandledDocument
    /// The program that is started for the document.
    let plan: ProgramPlan
    /// Which try it is, counted from 1.
    let number: Int
    /// The longest time that the handler may take.
    let timeout: Duration
    /// Where the document was filed.
    let place: FiledPlace
    let journal: Journal
    /// Where the history ended when the try was begun.
    let mark: HistoryMark
    let control: ProgramControl
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
            do throws(SyscallError) { try note(try: number, isDurable: true) } catch {
                return ended(.short("cannot write the state folder: \(error.errno)"), .zero)
            }
            run(on: input, from: start, wrote: wrote, ended: ended)
        case .none(let ending):
            if ending.isTry {
                do throws(SyscallError) { try note(try: number, isDurable: false) } catch {
                    // After a crash the same end may be recorded once more.
                }
            }
            ended(ending, .zero)
        }
    }

    private func run(
        on input: OpenFile, from start: Instant, wrote: ([UInt8]) -> Void, ended: (HandlerEnding, Duration) -> Void
    ) {
        let deadline = timeout >= TimeSpan.infinity ? Instant.never : start + timeout
        let run = ProgramRun(plan: plan, deadline: deadline, control: control, remains: .followed(left))
        let ending = HandlerEnding(run.perform(on: input.descriptor, wrote: wrote))
        withdraw(ending)
        ended(ending, .now() - start)
    }

    /// Takes back what the journal says of a try that does not count. Should that fail, it counts after a crash alone.
    private func withdraw(_ ending: HandlerEnding) {
        guard !ending.isTry else { return }
        do throws(SyscallError) { try note(try: number - 1, isDurable: false) } catch {
            // One of the tries that an interrupted handler has is lost, and nothing else.
        }
    }

    private func note(try number: Int, isDurable: Bool) throws(SyscallError) {
        if let id = RecordID(document.id) { try journal.noteTry(number, of: id, at: mark, isDurable: isDurable) }
    }

    /// The result of looking for the document's name beneath the root, through no link.
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

    /// Returns how the try ends when the document is not there: its disk may be missing for a while.
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
}

import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux
import InboxProperties

/// One try of a check, on a thread of its own: the document is opened and typed, the program decides about it and about
/// each file that goes with it, and all of them are shown to be what it has seen.
struct CheckRun: Sendable {
    let request: FilingRequest
    let check: CheckInForce
    /// The facts of the Inbox's check, for that of a document type.
    let known: [String: String]
    let detector: Detector
    let identifiers: RecordIdentifiers
    let control: ProgramControl
    /// The places of the check: so many of its programs run at once. Whoever is next waits for one on its own thread, with
    /// its document opened and its process prepared, so that between two programs nobody waits for the loop.
    let places: Semaphore

    /// Runs the check, and hands over the lines for the log.
    /// - Returns: the result, and the time that the program took.
    func perform(wrote: (BytePath, [UInt8]) -> Void) -> (CheckResult, Duration) {
        var time = Duration.zero
        do throws(Refusal) {
            let document = try CheckedDocument(request, detector, knowing: known, at: .current())
            return (try result(on: document, &time, wrote), time)
        } catch {
            if case .hold(.check, let words) = error.outcome { return (.failed(words ?? ""), time) }
            return (.refused(error.outcome), time)
        }
    }

    private func result(
        on document: CheckedDocument, _ time: inout Duration, _ wrote: (BytePath, [UInt8]) -> Void
    ) throws(Refusal) -> CheckResult {
        let former = request.verdicts.flatMap { $0.isAbout(document.state) ? $0 : nil }
        let id = former?.id ?? identifiers.next(at: .now())
        var answer = self.answer(on: document, id, &time, wrote)
        var members: [FileName: CheckVerdicts.State] = [:]
        for member in request.members {
            let file: CheckedDocument
            do throws(Refusal) { file = try CheckedDocument(member, of: request, detector) } catch {
                // The program has run by now, and may write beside its document.
                guard case .changed = error.outcome else { throw error }
                return .changed
            }
            // A rejection too is about all of them as they are now.
            members[member.name] = file.state
            guard answer.isAcceptance else { continue }
            let own = self.answer(on: file, id, &time, wrote)
            if !own.isAcceptance { answer = own }
        }
        if case .other(.abandoned) = answer { return .abandoned }
        guard try CheckedDocument.isUnchanged(request, document.state, members: members) else { return .changed }
        switch answer {
        case .ruled(let ruling):
            return .ruled(CheckVerdicts(ruling, by: check, on: document.state, members: members, id: id, after: former))
        case .other(let result): return result
        }
    }

    /// The program's answer about one file.
    private enum Answer {
        case ruled(CheckVerdicts.Ruling)
        case other(CheckResult)

        var isAcceptance: Bool { if case .ruled(.accepted) = self { true } else { false } }
    }

    private func answer(
        on file: CheckedDocument, _ id: RecordID, _ time: inout Duration, _ wrote: (BytePath, [UInt8]) -> Void
    ) -> Answer {
        let timeout = request.settings.checkTimeout
        var begun: Instant?
        let told = Dictionary(file.told.members.map { ("\($0.key)", $0.value) }) { first, _ in first }
        let document = HandledDocument(
            id: id.text, path: file.path, source: file.path, type: file.detection.type.identifier,
            mime: file.detection.mime, size: file.size, documentType: check.documentType,
            annotations: file.attributes.annotations, facts: known, told: told)
        let run = ProgramRun(
            plan: ProgramPlan(check.command, document, variable: Process.environment), separatesErrors: true,
            control: control, remains: .killed)
        var output: [UInt8] = []
        var words = CheckWords()
        let ending = file.withInput { input in
            run.perform(
                on: input,
                admitted: {
                    places.wait()
                    // From here on whoever ends everything waits for it. Of one that was abandoned the process is killed.
                    _ = control.leaveSearch()
                    let now = Instant.now()
                    begun = now
                    return timeout >= TimeSpan.infinity ? .never : now + timeout
                }
            ) { stream, bytes in
                switch stream {
                case .errors: words.take(bytes)
                case .output:
                    // More is not needed to see that it is too much.
                    if output.count <= FactLines.most { output += bytes }
                    if output.count > FactLines.most { control.kill() }
                }
            }
        }
        if let begun {
            places.post()
            time += .now() - begun
        }
        guard let ending else { return .other(.failed("it is not open")) }
        for line in words.finish() { wrote(file.path, line) }
        if output.count > FactLines.most {
            return .other(.failed(self.words("has written more than 64 KiB", [])))
        }
        return answer(ending, output, words.last) { wrote(file.path, $0) }
    }

    private func answer(
        _ ending: ProgramEnding, _ output: [UInt8], _ last: [UInt8], _ wrote: ([UInt8]) -> Void
    ) -> Answer {
        switch ending {
        case .exited(0):
            let lines = FactLines(output)
            var others = ProgramOutput()
            for line in lines.others { others.take(line + [UInt8(ascii: "\n")]).forEach(wrote) }
            if let date = lines.facts["date"], DocumentDate(rfc3339: date) == nil {
                wrote(Array("date=\(date) is no date of RFC 3339, such as 2026-01-31, and counts as a fact alone".utf8))
            }
            return .ruled(.accepted(lines.facts))
        case .exited(65):
            let text = EscapedBytes.printable(last)
            return .ruled(.rejected(text.isEmpty ? "its check \(check.command.program) has rejected it" : text))
        case .exited(75): return .other(.later(words("says that it cannot decide yet", last)))
        case .exited(let status): return .other(.failed(words("has ended with status \(status)", last)))
        case .killed(let signal): return .other(.failed(words("has died of signal \(signal)", last)))
        case .timedOut: return .other(.failed(words("was killed at CheckTimeout", last)))
        case .failed(let reason): return .other(.failed("its check cannot run: \(reason)"))
        case .short(let reason): return .other(.short(reason))
        case .abandoned: return .other(.abandoned)
        }
    }

    private func words(_ what: String, _ last: [UInt8]) -> String {
        let text = last.isEmpty ? "" : ": \(EscapedBytes.printable(last))"
        return "its check \(check.command.program) \(what)\(text)"
    }
}

/// The standard error of a check: its last line says why it has decided as it did.
struct CheckWords {
    private var output = ProgramOutput()
    private var lines: [[UInt8]] = []

    /// The last line that is not empty; without any, none of it.
    private(set) var last: [UInt8] = []

    /// Takes bytes.
    mutating func take(_ bytes: [UInt8]) { add(output.take(bytes)) }

    /// The lines for the log, in their order, once the program has ended.
    mutating func finish() -> [[UInt8]] {
        if let line = output.finish() { add([line]) }
        return lines
    }

    private mutating func add(_ new: [[UInt8]]) {
        lines += new
        last = new.last { line in line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") } } ?? last
        if last.last == UInt8(ascii: "\r") { last.removeLast() }
    }
}

import InboxConfiguration
import InboxDetection
import InboxVarlink
import UniformTypeIdentifiers

extension Verb {
    static let type = Verb(
        name: "type", operands: "[FILE…]",
        summary: "show the type of files, or of an extension, a MIME type or an identifier",
        options: [
            Option(name: "extension", argument: "E", help: "the type of names that end in .E"),
            Option(name: "mime", argument: "M", help: "the type of this MIME type"),
            Option(name: "identifier", argument: "UTI", help: "the type of this identifier"),
            Option(name: "conforming-to", argument: "UTI", help: "look for extensions and MIME types under this type"),
            Option(name: "properties", help: "the date, title and author that files have in their content too"),
            .config,
        ],
        examples: [
            "inboxctl type report.pdf", "inboxctl type --properties photo.jpg", "inboxctl type --extension=jpg",
        ]
    ) { invocation throws(CommandFailure) in
        let files = invocation.arguments.operands
        let asked = ["extension", "mime", "identifier"].first(where: invocation.arguments.has)
        guard !files.isEmpty || asked != nil else {
            throw .usage("nothing to identify: give files, --extension, --mime or --identifier")
        }
        if !files.isEmpty, let option = asked ?? (invocation.arguments.has("conforming-to") ? "conforming-to" : nil) {
            throw .usage("--\(option) and files cannot be asked for at once")
        }
        if files.isEmpty, invocation.arguments.has("properties") {
            throw .usage("--properties is for files: nothing else has a date, a title or an author")
        }
        if asked == "identifier", invocation.arguments.has("conforming-to") {
            throw .usage("--conforming-to is for --extension and --mime: an identifier has one type")
        }
        let detector = try invocation.detector()
        // The process ends after this verb: to free all that a detector knows would only take time.
        _ = Unmanaged.passRetained(detector)
        if files.isEmpty {
            try TypeVerb.reportTags(invocation, detector)
            return .done
        }
        return try TypeVerb.reportFiles(files, invocation, detector)
    }
}

private enum TypeVerb {
    static func reportTags(_ invocation: Invocation, _ detector: Detector) throws(CommandFailure) {
        let supertype = try invocation.arguments.value("conforming-to").map(UTType.init(named:)) ?? .data
        var answers: [TypeAnswer] = []
        for option in invocation.arguments.options {
            guard let value = option.value else { continue }
            switch option.name {
            case "extension": answers.append(try .init(filenameExtension: value, under: supertype, detector))
            case "mime": answers.append(try .init(mimeType: value, under: supertype, detector))
            case "identifier": answers.append(try .init(identifier: value, detector))
            default: continue
            }
        }
        let lines = invocation.wantsJSON ? answers.map(\.object.text) : TypeAnswer.table(answers)
        try invocation.output.write(lines.map { $0 + "\n" }.joined())
    }

    /// Identifies the files one after the other; where one cannot be identified, only the exit status changes.
    static func reportFiles(
        _ files: [[UInt8]], _ invocation: Invocation, _ detector: Detector
    ) throws(CommandFailure) -> ExitStatus {
        var status = ExitStatus.done
        for path in files {
            let answer: FileAnswer
            do throws(CommandFailure) {
                let wantsProperties = invocation.arguments.has("properties")
                answer =
                    path == [UInt8(ascii: "-")]
                    ? try FileAnswer(standardInput: detector, wantsProperties: wantsProperties)
                    : try FileAnswer(path, detector, wantsProperties: wantsProperties)
            } catch {
                // What was found before is printed before it, where both go to one terminal.
                try invocation.output.flush()
                invocation.complain(error.message)
                status = .failed
                continue
            }
            let text = invocation.wantsJSON ? answer.object.text + "\n" : answer.text(isAlone: files.count == 1)
            try invocation.output.write(text)
        }
        return status
    }
}

import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux
import UniformTypeIdentifiers

/// The cost of deciding where a document goes, beside a hundred document types.
struct RoutingSubject: Subject {
    let name = "routing"
    let what = "deciding where a document goes, beside 100 document types"

    /// Nanoseconds: less than this a document.
    private static let limit: Double = 1_000
    /// So many times what types and names cost, where each of the document types asks for everything.
    private static let mostOfConditions: Double = 2

    func measure(_ bench: Bench) throws -> Findings {
        guard let name = FileName("IMG_2041.jpg") else { return Findings() }
        let (plain, conditions) = (try Self.rules(), try Self.rules(withConditions: true))
        let types = [("jpeg by year and month", UTType.jpeg), ("a type that many accept", UTType.plainText)]
        return Findings(
            measurements: types.flatMap { what, type in
                let document = RoutedDocument(
                    detection: Detection(type: type, mime: nil, evidence: .content, mismatch: false, unread: false),
                    name: name, in: BytePath("/d/Inbox"), folder: [], size: 4096, modified: .now(),
                    attributes: DocumentAttributes(
                        annotations: ["project": "x"], origin: "https://files.example.com/a.jpg"))
                let spent = Samples(Self.spent(on: document, plain))
                return [
                    Measurement(
                        what, spent, floor: ("making one name", Samples(Self.floor())), goal: .figure(Self.limit)),
                    Measurement(
                        what + ", every condition in use", Samples(Self.spent(on: document, conditions)),
                        floor: ("types and names alone", spent), goal: .ratio(Self.mostOfConditions)),
                ]
            })
    }

    private static func spent(on document: RoutedDocument, _ rules: RoutingRules) -> Double {
        let settings = InboxSettings()
        let calls = 10_000
        return nanoseconds(calls: calls) {
            var count = 0
            for _ in 0..<calls {
                do throws(Refusal) {
                    count += try Routing.destination(of: document, settings, rules).folders.count
                } catch {
                    count += 1
                }
            }
            return count
        }
    }

    /// One name is the least that a destination consists of.
    private static func floor() -> Double {
        let bytes = Array("2026".utf8)
        let calls = 10_000
        return nanoseconds(calls: calls) {
            var count = 0
            for _ in 0..<calls { count += FileName(bytes)?.count ?? 0 }
            return count
        }
    }

    /// - Parameter withConditions: whether each document type asks for all that one can.
    private static func rules(withConditions: Bool = false) throws -> RoutingRules {
        var text = ""
        let types = UTType.allBuiltIn.filter { $0.conforms(to: .data) && !$0.conforms(to: .image) }
        for number in 0..<98 {
            text += "[DocumentType E\(number)]\nContentTypes=\(types[number % types.count].identifier) public.data\n"
            text += "Names=a\(number)* b\(number)*\nDestination=E\(number)\n"
            guard withConditions else { continue }
            text += "Paths=**/camera/*\nInboxes=Inbox\nPattern={who}-{number:digits}*\nMinSize=1K\nMaxSize=1G\n"
            text += "Origins=*.example.com\nAnnotations=project=*\n"
        }
        text += "[DocumentType Photos]\nContentTypes=public.image\nDestination=Pictures/{year}/{month}\n"
        text += "[DocumentType Rest]\nContentTypes=public.item\nDestination={type}/{extension}\n"
        var options = ConfigurationOptions()
        options.file = Array("/c".utf8)
        options.documents = Array("/d".utf8)
        options.state = Array("/s".utf8)
        let bytes = Array(text.utf8)
        let loaded = ConfigurationLoader.load(
            options, environment: .ofThisProcess(),
            files: ConfigurationFiles(
                content: { (_) throws(ConfigurationReadError) in bytes },
                names: { (_) throws(ConfigurationReadError) in nil }))
        guard let configuration = loaded.configuration else { throw BenchmarkFailure(loaded.report()) }
        return RoutingRules(configuration)
    }
}

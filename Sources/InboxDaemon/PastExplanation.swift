import InboxCore
import InboxFiling
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// Explains a path at which nothing is any more: the history has where the document went, or those that were in the
/// folder.
final class PastExplanation {
    private let path: String
    private let place: BytePath
    private let caller: ToldRecords
    /// Begins a search of the history.
    private let search: (HistoryQuery) -> () -> HistoryPart
    private var records: () -> HistoryPart
    private var found: JSONValue?
    /// Nil until it is known that the history has nothing of the path itself.
    private var folder: PastFolder?
    /// The reply where the history has nothing that the caller may know.
    private let otherwise: ServiceError

    /// Begins the search.
    init(
        _ path: String, at place: BytePath, for caller: UnixSocket.Peer, in work: InboxWork, _ reader: HistoryReader,
        otherwise: ServiceError
    ) {
        self.path = path
        self.place = place
        self.otherwise = otherwise
        var query = HistoryQuery()
        query.path = place.bytes
        query.renaming = MemberName.renamed
        query.limit = 1
        let access = RecordAccess(for: caller, beside: work.intake.roots.known)
        self.caller = ToldRecords(for: caller, in: work)
        query.isVisible = { record in
            record.saysWhereDocumentIs && access.mayKnow(record)
                && (record.path("destination") == place
                    ? access.mayKnowDestination(record) : access.mayKnowSource(record))
        }
        let state = work.configuration.stateFolder
        search = { reader.records($0, for: caller.user, in: state) }
        records = search(query)
    }

    /// Returns the explanation; nil while it is searched for.
    func outcome() -> ExplainOutcome? {
        while true {
            switch records() {
            case .notYet: return nil
            case .record(let record) where folder == nil: found = caller.told(record)
            case .record(let record): folder?.add(caller.told(record))
            case .failed: return .refused(otherwise)
            case .end:
                if let found {
                    return ExplanationReport(path, found).map(ExplainOutcome.explained) ?? .refused(otherwise)
                }
                if let folder {
                    return folder.count > 0 ? .explained(ExplanationReport(path, folder)) : .refused(otherwise)
                }
                folder = PastFolder()
                let query = PastFolder.query(place) { [place, access = caller.access] record in
                    access.mayKnow(record)
                        && (record.path("destination")?.isInside(place) == true
                            ? access.mayKnowDestination(record) : access.mayKnowSource(record))
                }
                records = search(query)
            }
        }
    }
}

extension ExplanationReport {
    /// Explains a path by a record; nil if the record has no type.
    fileprivate init?(_ path: String, _ record: JSONValue) {
        guard let type = record["type"]?.string else { return nil }
        // A document that was put back is in the Inbox again.
        let isBack = record["event"]?.string == "undone"
        let place = PathText(path)
        let member = record.members(by: MemberName.renamed).first {
            $0.source.map(PathText.init) == place || PathText($0.destination) == place
        }
        if let member {
            self.init(memberAt: path, isBack ? member.source : member.destination, of: record)
            return
        }
        self.init(
            path: path, type: type, mime: record["mime"]?.string, evidence: record["evidence"]?.string ?? "none",
            mismatch: false, unread: false, conformsTo: UTType(type)?.conformanceList.map(\.identifier) ?? [],
            destination: record[isBack ? "source" : "destination"]?.string, arrival: nil)
        self.record = record
    }

    /// Explains a file that was filed with the document of a record; the record does not tell the type of this file.
    private init(memberAt path: String, _ destination: String?, of record: JSONValue) {
        let name = BytePath(escapedText: path)?.names.last
        let type = name.flatMap {
            UTType(filenameExtension: String(decoding: NumberedName.pathExtension(of: $0), as: UTF8.self))
        }
        let known = type ?? .data
        self.init(
            path: path, type: known.identifier, mime: known.preferredMIMEType, evidence: "name", mismatch: false,
            unread: false, conformsTo: known.conformanceList.map(\.identifier),
            destination: destination, arrival: nil)
        self.record = record
    }

    /// Explains a folder that is gone.
    fileprivate init(_ path: String, _ folder: PastFolder) {
        self.init(
            path: path, type: UTType.folder.identifier, mime: nil, evidence: "none", mismatch: false, unread: false,
            conformsTo: UTType.folder.conformanceList.map(\.identifier), destination: nil, arrival: nil)
        beneath = folder
    }
}

import Glibc
import InboxLinux
import InboxTestSupport

/// What a random hand has done to its Inboxes, and what has to come of it.
///
/// Nobody else puts documents into them. A daemon takes them away, and may put back what it took: so which document a
/// name leads to is read from the document.
final class Model {
    /// One of the Inboxes.
    struct Inbox {
        let path: TestPath
        /// Where documents are made that are moved into it: on the same filesystem.
        let outside: TestPath
        let isAcross: Bool
        /// Whether its folders are documents, and its links are held: its own settings.
        let isWhole: Bool
    }

    /// A document that was dropped.
    struct Document {
        var content: Content
        /// Whether it has to be copied, so that for a moment it is in both places.
        let isAcross: Bool
        /// Whether it is a link that is to stay in its Inbox.
        let isHeld: Bool
        var isWithdrawn = false
        /// What it held before somebody wrote to it.
        var earlier: [Content] = []
        /// How often somebody wanted to write to it, gave it another name, or took its copy before it was recorded.
        var visits = 0

        /// How often its content may exist in Documents.
        ///
        /// Between the name of a copy and the end of its source there is a moment: what its owner removes then was
        /// filed, and what somebody wants to write to or renames then stays in the Inbox, a document of its own.
        var allowed: ClosedRange<Int> {
            if isHeld { return 0...0 }
            let most = isAcross ? 1 + visits : 1
            return isWithdrawn ? 0...(isAcross ? most : 0) : 1...most
        }
    }

    /// A document whose writer is not done.
    struct Writer {
        let document: Int
        let descriptor: Int32
        let rest: [UInt8]
        /// A file that a package is to get before its writer is done.
        var late: (name: TestPath, content: [UInt8])?
    }

    let stage: Stage
    /// The daemons that share the Inboxes, that of the stage first.
    let crew: [Stage]
    /// The first one is inside Documents.
    let inboxes: [Inbox]
    let inDocuments: HandInDocuments
    var random: SeededRandom
    private(set) var operations = 0
    var documents: [Document] = []
    /// By their whole paths.
    var placed: [TestPath: Int] = [:]
    var writers: [Writer] = []
    /// By the beginnings of their contents.
    private var heads: [[UInt8]: Int] = [:]

    private static let folders: [TestPath] = ["", "", "", "a", "b", "a/b", "a/b/c", "b/deep/er/yet"]

    init(_ crew: [Stage], on stage: Stage, and other: OtherFilesystem?, seed: UInt64) throws {
        self.stage = stage
        self.crew = crew
        random = SeededRandom(seed: seed)
        let here = stage.root / "outside"
        var inboxes = [Inbox(path: stage.inbox, outside: here, isAcross: false, isWhole: false)]
        if let there = other?.path {
            let outside = there / "outside"
            inboxes.append(Inbox(path: there / "Inbox", outside: outside, isAcross: true, isWhole: false))
            if Bool.random(using: &random) {
                inboxes.append(Inbox(path: there / "Whole", outside: outside, isAcross: true, isWhole: true))
            }
        }
        if inboxes.last?.isWhole != true {
            inboxes.append(Inbox(path: stage.root / "Whole", outside: here, isAcross: false, isWhole: true))
        }
        self.inboxes = inboxes
        for inbox in inboxes { for folder in [inbox.path, inbox.outside] { try Disk.makeFolders(folder) } }
        inDocuments = try HandInDocuments(stage.documents, outside: here, seed: seed)
    }

    deinit { for writer in writers { close(writer.descriptor) } }

    var dropped: Int { documents.count }

    /// What the daemons are to be started with.
    var arguments: [TestPath] {
        let whole = inboxes.filter(\.isWhole).map(\.path)
        let settings = whole.flatMap { ["Inbox \($0).Folders=whole", "Inbox \($0).Symlinks=hold"] }
        return ["--documents", stage.documents] + inboxes.flatMap { ["--inbox", $0.path] }
            + settings.flatMap { ["--set" as TestPath, TestPath($0)] }
    }

    /// One operation, whatever the dice say. One that comes too late does nothing.
    func step() throws {
        operations += 1
        switch Int.random(in: 0..<130, using: &random) {
        case 0..<25: try write()
        case 25..<37: try moveIn()
        case 37..<45: try linkIn()
        case 45..<50: try linkUnnamed()
        case 50..<58: try beginWriting()
        case 58..<66: try endWriting()
        case 66..<72: try append()
        case 72..<80: try rename()
        case 80..<85: try withdraw()
        case 85..<89: try makeFolders()
        case 89..<93: moveFolder()
        case 93..<96: try moveTreeIn()
        case 96..<100: removeFolder()
        case 100..<104: try movePackageIn()
        case 104..<107: try makeLink()
        default: try stepInDocuments()
        }
    }

    /// One operation of somebody who works in Documents, often at a name that a daemon is about to give.
    func stepInDocuments() throws {
        let path = placed.keys.randomElement(using: &random) ?? stage.inbox / randomName()
        let wanted = path.components.dropFirst(inbox(of: path).path.components.count).reduce("", /)
        try inDocuments.step(wanting: wanted)
        try countRefiled()
    }

    /// After a kill, before the next start.
    func noteKill() throws {
        try inDocuments.noteKill(crew)
        try countRefiled()
    }

    /// What somebody took from Documents or changed there, and a kill has kept from being recorded, may be filed again.
    private func countRefiled() throws {
        for head in try inDocuments.ledger.takeUncertain(crew, in: stage.documents) {
            guard let document = heads[head] else { continue }
            documents[document].visits += 1
        }
    }

    // MARK: Documents

    @discardableResult
    func place(_ content: Content, at path: TestPath) -> Int {
        let inbox = inbox(of: path)
        let isHeld = inbox.isWhole && content.parts[Content.target] != nil
        documents.append(Document(content: content, isAcross: inbox.isAcross, isHeld: isHeld))
        placed[path] = documents.count - 1
        if let head = content.head { heads[head] = documents.count - 1 }
        return documents.count - 1
    }

    /// Which document this is, by how one of its parts begins.
    func document(beginningWith bytes: [UInt8], _ path: TestPath) throws -> Int {
        guard let head = Content.head(of: bytes), let document = heads[head] else {
            throw Failure("\(path) begins with \(escaped(bytes.prefix(64))), which nobody dropped")
        }
        return document
    }

    func document(at descriptor: Int32, _ path: TestPath) throws -> Int {
        var head = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &head, head.count, 0)
        return try document(beginningWith: Array(head.prefix(max(0, count))), path)
    }

    /// That somebody has changed a document.
    func note(_ content: Content, of document: Int) {
        if documents[document].isAcross { documents[document].earlier.append(documents[document].content) }
        documents[document].content = content
    }

    func isBeingWritten(_ document: Int) -> Bool { writers.contains { $0.document == document } }

    func newHead() -> [UInt8] {
        Array("<\(operations) \(UInt64.random(in: .min ... .max, using: &random))>".utf8)
    }

    func newContent() -> [UInt8] { newContent(after: newHead()) }

    func newContent(after head: [UInt8]) -> [UInt8] {
        let length = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0...20_000, using: &random) : 30
        return head + [UInt8](repeating: UInt8.random(in: 32...126, using: &random), count: length)
    }

    // MARK: Places

    func inbox(of path: TestPath) -> Inbox {
        inboxes.first { path.components.starts(with: $0.path.components) } ?? inboxes[0]
    }

    /// Where a document is made that is moved to this path.
    func outside(_ path: TestPath) -> TestPath { inbox(of: path).outside / "one" }

    func anInbox() -> Inbox { inboxes.randomElement(using: &random) ?? inboxes[0] }

    /// An Inbox whose folders are walked.
    func aMirroredInbox() -> TestPath {
        inboxes.filter { !$0.isWhole }.randomElement(using: &random)?.path ?? stage.inbox
    }

    func somewhere(in inbox: TestPath = "") -> TestPath {
        inbox / (Self.folders.randomElement(using: &random) ?? "")
    }

    func randomName() -> TestPath { HandInDocuments.names.randomElement(using: &random) ?? "x" }

    func randomPath(in inbox: Inbox? = nil, named name: TestPath? = nil) -> TestPath {
        let inbox = inbox ?? anInbox()
        return (inbox.isWhole ? inbox.path : somewhere(in: inbox.path)) / (name ?? randomName())
    }
}

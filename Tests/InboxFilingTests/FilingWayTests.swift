import Testing

@testable import InboxFiling
@testable import InboxLinux

@Suite("The way of a document")
struct FilingWayTests {
    /// One row of the choice.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: FilingWay.Facts
        let way: FilingWay?
        let steps: [FilingWay.Step]

        init(
            _ name: String, _ facts: FilingWay.Facts, _ way: FilingWay?, _ steps: [FilingWay.Step]
        ) {
            (testDescription, self.facts, self.way, self.steps) = (name, facts, way, steps)
        }
    }

    private static func here(
        _ kind: FileStatus.Kind = .regular, isClaimed: Bool = false, lacking: Set<NamingCapabilities.Method> = []
    ) -> FilingWay.Facts {
        FilingWay.Facts(kind: kind, isOnOneMount: true, isClaimed: isClaimed, lacking: lacking)
    }

    private static func across(
        _ kind: FileStatus.Kind = .regular, isReadable: Bool = true, lacking: Set<NamingCapabilities.Method> = []
    ) -> FilingWay.Facts {
        FilingWay.Facts(
            kind: kind, isReadable: isReadable, isOnOneMount: false, isClaimed: true, lacking: lacking)
    }

    private static let copySteps: [FilingWay.Step] = [.stage, .copy, .publish, .record, .clean]
    private static let moveSteps: [FilingWay.Step] = [.stage, .publish, .record]

    static let rows: [Row] = [
        Row("a file on one filesystem needs one rename", here(), .rename, [.publish, .record]),
        Row("so does a package", here(.directory), .rename, [.publish, .record]),
        Row("so does a link", here(.symlink), .rename, [.publish, .record]),
        Row(
            "a file that may not be read moves all the same",
            FilingWay.Facts(kind: .regular, isReadable: false, isOnOneMount: true, isClaimed: false), .rename,
            [.publish, .record]),
        Row("what other machines see is claimed first", here(isClaimed: true), .claimedRename, moveSteps),
        Row("a package too", here(.directory, isClaimed: true), .claimedRename, moveSteps),
        Row(
            "a package is claimed where nothing has two names", here(.directory, isClaimed: true, lacking: [.hidden]),
            .claimedRename, moveSteps),
        Row(
            "a file is copied there under its own name",
            here(isClaimed: true, lacking: [.hidden, .unnamed]), .directCopy,
            [.stage, .publish, .copy, .record, .clean]),
        Row(
            "where no rename leads into a folder a copy does", here(isClaimed: true, lacking: [.moved]), .unnamedCopy,
            copySteps),
        Row("a file for another filesystem is copied without a name", across(), .unnamedCopy, copySteps),
        Row(
            "without O_TMPFILE it is copied beside its destination", across(lacking: [.unnamed]), .stagedCopy,
            copySteps),
        Row(
            "without second names it is copied under its own name", across(lacking: [.unnamed, .hidden]), .directCopy,
            [.stage, .publish, .copy, .record, .clean]),
        Row("a package for another filesystem is copied beside it", across(.directory), .stagedCopy, copySteps),
        Row("a link too", across(.symlink), .stagedCopy, copySteps),
        Row("what may not be read is not copied", across(isReadable: false), nil, []),
        Row(
            "what is there already is discarded",
            FilingWay.Facts(kind: .regular, isOnOneMount: false, isClaimed: true, hasTwin: true), .discard,
            [.stage, .record, .clean]),
    ]

    @Test("is chosen by what is known of both places", arguments: rows)
    func chosen(_ row: Row) {
        let way = FilingWay(row.facts)
        #expect(way == row.way)
        #expect(way?.steps ?? [] == row.steps)
    }

    @Test("never records a document before it has its name, nor removes it before it is recorded")
    func order() throws {
        for way in FilingWay.allCases {
            let record = try #require(way.steps.firstIndex(of: .record))
            #expect(way.steps.firstIndex(of: .publish).map { $0 < record } ?? (way == .discard))
            #expect(way.steps.firstIndex(of: .clean).map { $0 > record } ?? !way.copies)
        }
    }
}

import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite("Names of files that belong to a document")
struct MemberNameTests {
    @Test(
        "The name of a document follows from that of a file beside it, with or without a number and a new stem",
        arguments: [
            ("app.db", "app.db-wal", "app.db"), ("IMG_1.NEF", "IMG_1.xmp", "IMG_1.NEF"),
            ("IMG_1.NEF", "IMG_1.NEF.sha256", "2024 trip.NEF"), ("film.mkv", "film.de.srt", "film.mkv"),
            ("a.tar.gz", "a.tar.gz.asc", "a.tar.gz"), ("noextension", "noextension.sig", "noextension"),
            ("a.pdf", "scan-a.png", "a.pdf"), ("IMG_1.NEF", ".IMG_1.NEF.meta", "trip.NEF"), ("s.pdf", "x-s.s", "s.pdf"),
        ])
    func reverse(_ former: String, _ member: String, _ wanted: String) throws {
        for number in [0, 1, 17] {
            let document = try #require(NumberedName(aName(wanted)).numbered(number))
            let beside = try #require(MemberName.renamed(aName(member), of: aName(former), as: document))
            #expect(
                MemberName.document(aName(former), as: aName(wanted), beside: beside, which: aName(member)) == document)
        }
    }

    @Test("A file with a name that no document of the row gives it shows none")
    func strange() {
        for beside in ["app-1.db", "other-1.db-wal", "app-01.db-wal", "-wal", "app-1.db-wal-wal"] {
            let found = MemberName.document(
                aName("app.db"), as: aName("app.db"), beside: aName(beside), which: aName("app.db-wal"))
            #expect(found == nil, "\(beside)")
        }
    }
}

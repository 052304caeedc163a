import Glibc
import InboxTestSupport
import Testing

@Suite("Dates in time zones")
struct TimeZoneTests {
    /// A photo that was taken on 4 March 2011 at 23:30, wherever that was.
    private static let photo: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE1, 0, 72] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0]
        + [1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
        + [1, 0, 0x03, 0x90, 2, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0]
        + Array("2011:03:04 23:30:00\0".utf8) + [0xFF, 0xD9]

    @Test("Two machines in time zones a day apart file a document by its own date alike")
    func zones() async throws {
        let stage = try Stage(
            settings: ["DocumentType A.Destination={year}/{month}", "DocumentType A.Name={date}-{time} {name}"])
        try Disk.put(Self.photo, at: stage.inbox / "photo.jpg")
        try Disk.put(
            Array("From: a@b\r\nDate: Fri, 4 Mar 2011 23:30:00 +0100\r\nSubject: x\r\n\r\nx\r\n".utf8),
            at: stage.inbox / "mail.eml")
        try Disk.put(Array("text\n".utf8), at: stage.inbox / "text.txt")
        var times = [timeval(tv_sec: 1_299_281_400, tv_usec: 0), timeval(tv_sec: 1_299_281_400, tv_usec: 0)]
        #expect((stage.inbox / "text.txt").withCString { utimes($0, &times) } == 0)
        var answers: [[String]] = []
        for zone: TestPath in ["TZ=AAA-13", "TZ=BBB+11"] {
            let run = try await stage.run(
                "/usr/bin/env", [zone, stage.daemonProgram] + stage.standardArguments + ["--dry-run"])
            #expect(run.exit == .status(0), "\(run.errors)")
            answers.append(run.output.split(separator: "\n").map(String.init).sorted())
        }
        let documents = "\(stage.documents)"
        for answer in answers {
            #expect(answer.contains { $0.contains("\(documents)/2011/03/2011-03-04-233000 photo.jpg") }, "\(answer)")
            #expect(answer.contains { $0.contains("\(documents)/2011/03/2011-03-04-233000 mail.eml") }, "\(answer)")
        }
        // A modification time is local time: the zones are really others.
        #expect(answers[0].contains { $0.contains("2011-03-05-123000 text.txt") }, "\(answers[0])")
        #expect(answers[1].contains { $0.contains("2011-03-04-123000 text.txt") }, "\(answers[1])")
    }
}

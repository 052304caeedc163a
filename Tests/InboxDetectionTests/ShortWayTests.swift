import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

@Suite("Short ways to the same answer")
struct ShortWayTests {
    @Test("The first questions about names, for which no whole table is made, are answered as the later ones")
    func firstQuestions() {
        let lines = """
            50:text/x-csrc:*.c
            50:text/x-c++src:*.C:cs
            50:text/x-c++src:*.c
            60:application/x-tar:*.tar
            50:application/gzip:*.gz
            50:application/x-compressed-tar:*.tar.gz
            50:text/x-makefile:makefile
            50:text/x-makefile:makefile.*
            10:text/x-readme:README*
            50:application/x-trash:*~
            50:text/x-log:*[0-9].log
            50:application/x-set:*.[ab]c
            50:application/x-one:x
            """
        /// Asks a database that was read just now.
        func asking<Answer>(_ question: (borrowing MIMEGlobs, borrowing MIMERelations) -> Answer) -> Answer {
            var globs = MIMEGlobs()
            var names = MIMERelations()
            globs.read(Array(lines.utf8))
            names.finish(addOthers: globs.addNames)
            globs.finish(names.names)
            return question(globs, names)
        }
        /// Asks one that was asked so often that it has made the whole table.
        func askingLater<Answer>(_ question: (borrowing MIMEGlobs, borrowing MIMERelations) -> Answer) -> Answer {
            asking { globs, names in
                for _ in 0..<100 { _ = globs.matches(Array("a.c".utf8)[...]) }
                return question(globs, names)
            }
        }
        for name in [
            "a.c", "a.C", "A.TAR.GZ", "a.tar", "makefile", "makefile.c", "Makefile", "README.c", "READMEx", "a~",
            "1.log",
            "x.log", "q.ac", "q.bc", "q.cc", "x", "y", ".c", "a.[ab]c", "b.", "",
        ] {
            let bytes = Array(name.utf8)[...]
            let (first, later) = (
                asking { globs, _ in globs.matches(bytes) }, askingLater { globs, _ in globs.matches(bytes) }
            )
            #expect(first.mimes == later.mimes, "of \(name)")
            #expect(first.plainExtension == later.plainExtension, "of \(name)")
            #expect(first.isLiteral == later.isLiteral, "of \(name)")
        }
        for mime in ["text/x-csrc", "text/x-c++src", "application/x-tar", "application/x-set"] {
            let first = asking { globs, names in names.known(mime.utf8).flatMap { globs.fileExtension(of: $0) } }
            let later = askingLater { globs, names in names.known(mime.utf8).flatMap { globs.fileExtension(of: $0) } }
            #expect(first == later, "of \(mime)")
        }
    }

    @Test(
        "The first contents, for which no index of the rules is made, are compared as the later ones",
        .enabled(if: readFile("/usr/share/mime/magic") != nil, "shared-mime-info is not installed"))
    func firstContents() throws {
        let file = try #require(readFile("/usr/share/mime/magic"))
        func reading() -> MIMEDatabase {
            MIMEDatabase(reading: MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil))
        }
        let later = reading()
        for _ in 0..<100 { file.withUnsafeBytes { _ = later.magic.match(Bytes($0), later.relations) } }
        var first = reading()
        var random = SeededRandom(seed: 18)
        var asked = 0
        var found = 0
        // The rules' own values are what is found, whole and with other bytes among them.
        var contents = SampleTests.samples.map(\.bytes)
        for _ in 0..<200 {
            let start = Int.random(in: file.indices, using: &random)
            contents.append(Array(file[start..<min(file.count, start + Int.random(in: 0..<600, using: &random))]))
            let place = (file[start...].firstIndex(of: UInt8(ascii: "=")) ?? start) + 3
            contents.append(Array(file[min(place, file.count)...].prefix(400)))
        }
        for content in contents {
            if asked % 3 == 0 { first = reading() }
            asked += 1
            content.withUnsafeBytes { content in
                let one = first.magic.match(Bytes(content), first.relations)
                let other = later.magic.match(Bytes(content), later.relations)
                #expect(one.map { first.relations.text($0.mime) } == other.map { later.relations.text($0.mime) })
                #expect(one?.priority == other?.priority && one?.fixed == other?.fixed)
                if one != nil { found += 1 }
            }
        }
        #expect(found > 100)
    }

    @Test("The first questions about formats, for which no table is made, are answered as the later ones")
    func firstFormats() {
        for places in [MIMEDatabasePlaces.none, MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil)] {
            let database = MIMEDatabase(reading: places, adding: .builtIn)
            let later = FormatLinks(database)
            let ids = FormatTable.builtIn.formats.indices.map { FormatID(place: $0) }
            for id in ids { _ = later.facts(id) }
            for id in ids {
                let first = FormatLinks(database)
                let (one, other) = (first.facts(id), later.facts(id))
                #expect(one.mime == other.mime && one.type == other.type && one.keepsName == other.keepsName)
                #expect(one.mime.map { first.format(of: $0) } == one.mime.map { later.format(of: $0) })
                #expect(first.hasNoSpecialCases(id) == later.hasNoSpecialCases(id))
            }
            let names = database.relations.names
            // Those numbers that are given: the others are of names that have another one too.
            for number in 0..<Int32(names.count) where names.find(names.name(number)) == number {
                #expect(FormatLinks(database).format(of: number) == later.format(of: number))
            }
        }
    }

    @Test("Names that no relation has are known too, in any case of letters, and each by one number")
    func otherNames() throws {
        var relations = MIMERelations()
        relations.readAliases(Array("text/x-old text/x-new\n".utf8))
        relations.readSubclasses(Array("text/x-new text/plain\n".utf8))
        relations.finish { names in
            for name in ["text/x-new", "text/x-Lone", "video/x-lone"] { _ = names.add(name.utf8) }
        }
        // The macros of the tests take no values that cannot be copied.
        func known(_ name: String) -> Int32? { relations.known(name.utf8) }
        func known(anyCase name: String) -> Int32? { relations.known(anyCase: Array(name.utf8)) }
        func isText(_ number: Int32) -> Bool { relations.isSubclass(number, of: relations.plainText) }
        let (new, lone) = (try #require(known("text/x-new")), try #require(known("text/x-Lone")))
        let video = try #require(known("video/x-lone"))
        #expect(known("text/x-old") == new)
        #expect(known("text/x-lone") == nil && known("audio/x-none") == nil)
        #expect(known(anyCase: "TEXT/X-LONE") == lone)
        #expect(known(anyCase: "TEXT/X-OLD") == new)
        let (text, related) = (relations.text(lone), relations.parents(of: video) + relations.aliases(of: video))
        #expect(text == "text/x-Lone")
        #expect(related.isEmpty)
        #expect(isText(lone) && !isText(video))
    }

    @Test("No guess at a text changes a decision for which none is asked")
    func guesses() throws {
        for places in [MIMEDatabasePlaces.none, MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil)] {
            let knowledge = Knowledge(places)
            let guesses = TextRules.guesses.map { knowledge.kind(mime: $0) ?? knowledge.kind(unlisted: $0) }
            var closed = 0
            let tags = UTType.allBuiltIn.flatMap { $0.tags[.filenameExtension] ?? [] } + ["v", "d", "pl", "cls", "inc"]
            for tag in tags {
                let names = knowledge.kinds(of: try #require(FileName("a." + tag)))
                guard !names.isEmpty, names.count(where: \.isText) > 1, !knowledge.isOpen(names, nil) else { continue }
                closed += 1
                let plain = Decision.weigh(names, .text(guess: nil), knowledge)
                for guess in guesses {
                    let found = FoundKind(kind: guess, carrier: nil, fixed: 0)
                    let decision = Decision.weigh(names, .text(guess: found), knowledge)
                    #expect(decision.kind?.type == plain.kind?.type, "of \(tag), guessed as \(guess.type)")
                    #expect(decision.kind?.mime == plain.kind?.mime, "of \(tag), guessed as \(guess.type)")
                    #expect(decision.evidence == plain.evidence && decision.mismatch == plain.mismatch, "of \(tag)")
                }
            }
            #expect(closed > 0)
        }
    }

    @Test("Text is surveyed a vector at a time as byte by byte")
    func survey() {
        var random = SeededRandom(seed: 14)
        for _ in 0..<10_000 {
            let letters: [UInt8] = [0x20, 0x41, 0x7A, 0x0A, 0x0D, 0x09, 0x7E, 0x80, 0x8A, 0xFF]
            let count = Int.random(in: 0..<(Bool.random(using: &random) ? 40 : 300), using: &random)
            var bytes = (0..<count).map { _ in letters.randomElement(using: &random)! }
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let isHarmful = bytes.contains { $0 < 0x20 ? !TextEncoding.isHarmless($0) : $0 == 0x7F }
            let expected = isHarmful ? nil : bytes.contains { $0 >= 0x80 }
            #expect(bytes.withUnsafeBytes { Bytes($0).textSurvey() } == expected, "of \(bytes)")
        }
    }

    @Test("Numbers are sorted, and items with the same number keep their order")
    func order() {
        var random = SeededRandom(seed: 15)
        for count in [0, 1, 2, 50, 1000] {
            let items = (0..<count).map { (number: UInt64.random(in: 0..<5000, using: &random), place: $0) }
            let expected = items.sorted { ($0.number, $0.place) < ($1.number, $1.place) }
            #expect(StableOrder.places(of: items.map(\.number), bytes: 2) == expected.map(\.place))
        }
    }
}

import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Texts that begin, by chance, with what other formats begin with.
@Suite("Words that are signatures")
struct WordTests {
    private func expectText(_ bytes: [UInt8], _ what: String) throws {
        for found in try BothDetectors.detect("notes.txt", bytes) {
            #expect(found.type == .plainText, "\(what): \(found)")
            #expect(!found.mismatch, "\(what): \(found)")
        }
        for found in try BothDetectors.detect(nil, bytes) { #expect(found.type == .plainText, "\(what): \(found)") }
    }

    @Test(
        "A text that begins with a word that is a signature is a text",
        arguments: [
            "PATCH NOTES 1.2", "PATCH für alle Geräte", "MOVIE NIGHT at ours", "CISO report for March", "FORM 27B/6",
            "ORCHESTRA rehearsal", "MAC ADDRESSES of the printers", "FWS meeting", "KB2999226 must be installed",
            "RIFF in E minor", "PSID numbers", "PAR10 is a size", "AC100 is the room", "BLENDERS and mixers",
            "LZIP is a compressor", "fLaC is a format", "icns are icons", "AA01 is the form",
            "070701 Meeting", "COWDEN, the town", ".snd files", ";ELC", "S T O P", "#FIGHT club",
        ])
    func words(word: String) throws { try expectText(Array("\(word) and more words.\nA second line.\n".utf8), word) }

    @Test(
        "A text that has a signature's word further on is a text",
        arguments: [(4, "BOBO"), (20, "GIMP"), (34, "LP"), (36, "acsp"), (44, "SCRM"), (128, "DICM"), (2, "-lh5-")])
    func farWords(offset: Int, word: String) throws {
        let before = String(String(repeating: "My list of ", count: 20).prefix(offset))
        try expectText(Array("\(before)\(word) and more words.\nA second line.\n".utf8), word)
    }

    @Test(
        "A text that fits a structure by chance is a text",
        arguments: [
            "x^2 + y^2 = z^2 has solutions.\n", "The wide river flows to the sea.\n", "Tax free shopping\n",
            "ID3 tags are metadata of files.\n", "1\r\r\n2\r\r\n3\r\r\n4\r\r\n5\r\r\n",
            "P1 2024 budget\n", "P1 1 outage\n", "P3 3 items\n", "P4 2 things\n", "P1 3 5 apples\n",
        ])
    func structures(text: String) throws { try expectText(Array(text.utf8), text) }

    @Test("A text as long as a packet, a tag or a frame is a text")
    func lengths() throws {
        let words = String(repeating: "Good morning, everybody. ", count: 20)
        for length in [188, 204] { try expectText(Array(words.prefix(length).utf8), "\(length)") }
        try expectText(Array((("TAG" + words).prefix(128)).utf8), "a tag")
        // After the byte order mark, the letter A says 128 kbit/s in frames of 136 bytes.
        var wide: [UInt8] = [0xFF, 0xFE]
        for letter in ("A" + words.prefix(66)).utf8 { wide += [letter, 0] }
        try expectText(wide, "wide")
    }

    @Test("Pixmaps in text are pixmaps all the same")
    func pixmaps() throws {
        for (text, mime) in [
            ("P1\n# one\n2 1\n0 1\n", "image/x-portable-bitmap"), ("P2 1 1 255\n7\n", "image/x-portable-graymap"),
            ("P3\n2 1\n255\n0 0 0 1 1 1\n", "image/x-portable-pixmap"), ("P5 1 1 65 A", "image/x-portable-graymap"),
        ] {
            for found in try BothDetectors.detect(nil, Array(text.utf8)) { #expect(found.mime == mime, "\(text)") }
        }
    }

    @Test("A table whose first column is called ID is no symbolic link")
    func identifiers() throws {
        for found in try BothDetectors.detect("goods.csv", Array("ID;Product;Price\n1;Hammer;9\n2;Nail;1\n".utf8)) {
            #expect(found.type == .commaSeparatedText)
            #expect(!found.mismatch)
        }
        for found in try BothDetectors.detect(nil, Array("ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K9\r\nE\r\n".utf8)) {
            #expect(found.mime == "text/spreadsheet")
        }
    }

    @Test("A section of addresses makes no channel of settings")
    func addresses() throws {
        for found in try BothDetectors.detect("a.txt", Array("[Address]\nStreet=Elm Street\n".utf8)) {
            #expect(found.type == .plainText)
            #expect(!found.mismatch)
        }
        let channel = "[Address]\nName=a\nNSC Format Version=3.0\n"
        for found in try BothDetectors.detect(nil, Array(channel.utf8)) {
            #expect(found.mime == "application/x-netshow-channel")
        }
    }
}

import Glibc
import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxTestSupport
import InboxVarlink
import Testing

@testable import inboxctl

/// A folder that goes with the test.
final class ScratchFolder {
    let path: String

    init() throws {
        path = try TestRun.current.makeFolder().description
    }

    /// Everything is in the folder itself, and folders in it are empty.
    deinit {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) { unlinkat(dirfd(folder), &entry.pointee.d_name.0, 0) }
        rewinddir(folder)
        while let entry = readdir(folder) { unlinkat(dirfd(folder), &entry.pointee.d_name.0, AT_REMOVEDIR) }
        closedir(folder)
        rmdir(path)
    }

    /// Writes a file and gives its path.
    @discardableResult
    func file(_ name: [UInt8], _ content: String) -> [UInt8] {
        let path = Array(path.utf8) + [0x2F] + name
        let opened = (path + [0]).withUnsafeBytes { fopen($0.baseAddress?.assumingMemoryBound(to: CChar.self), "w") }
        guard let opened else { return path }
        fwrite(content, 1, content.utf8.count, opened)
        fclose(opened)
        return path
    }

    @discardableResult
    func file(_ name: String, _ content: String) -> [UInt8] { file(Array(name.utf8), content) }

    subscript(_ name: String) -> String { path + "/" + name }
}

@Suite("Telling the types of files")
struct FileTypeTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test("One file is described by aligned lines")
    func one() {
        scratch.file("a.pdf", "%PDF-1.4\n")
        let run = inboxctl(["type", scratch["a.pdf"]])
        #expect(
            run.output == """
                       path: \(scratch["a.pdf"])
                       type: com.adobe.pdf
                description: PDF document
                       mime: application/pdf
                  extension: pdf
                conforms to: public.data public.composite-content public.item public.content
                   evidence: name+content

                """)
        #expect(run.status == 0 && run.errors == "")
    }

    @Test("The properties follow where they are asked for, in lines, on one line and in JSON")
    func properties() throws {
        let mail = "From: \"Ann\" <a@b.c>\nDate: Fri, 1 Mar 2024 17:45:01 +0100\nSubject: Hi\nTo: d@e.f\n\nText\n"
        scratch.file("m.eml", mail)
        scratch.file("t.txt", "text\n")
        let alone = inboxctl(["type", "--properties", scratch["m.eml"]])
        #expect(
            alone.output.hasSuffix(
                "       date: 2024-03-01T17:45:01+01:00 (mail)\n      title: Hi\n     author: Ann\n"))
        let several = inboxctl(["type", "--properties", scratch["m.eml"], scratch["t.txt"]])
        #expect(
            several.output == """
                \(scratch["m.eml"]): com.apple.mail.email (message/rfc822), date 2024-03-01T17:45:01+01:00 (mail), title Hi, \
                author Ann
                \(scratch["t.txt"]): public.plain-text (text/plain)

                """)
        let json = try inboxctl(["type", "--json", "--properties", scratch["m.eml"], scratch["t.txt"]])
            .output.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        #expect(json[0]["date"] == .string("2024-03-01T17:45:01+01:00") && json[0]["dateFrom"] == .string("mail"))
        #expect(json[0]["title"] == .string("Hi") && json[0]["author"] == .string("Ann"))
        #expect(json[1]["date"] == .null && json[1]["dateFrom"] == .null && json[1]["title"] == .null)
        scratch.file("2018-05-06 t.txt", "text\n")
        let named = inboxctl(["type", "--json", "--properties", scratch["2018-05-06 t.txt"]]).output
        #expect(named.contains("\"date\":\"2018-05-06\",\"dateFrom\":\"name\""))
        #expect(inboxctl(["type", scratch["m.eml"]]).output.contains("title") == false)
    }

    @Test("Several files have a line each, whatever they are and are called; one that is not there ends nothing")
    func several() {
        let odd = scratch.file([0x63, 0xFF, 0x0A], "hello\n")
        scratch.file("liar.jpg", "%PDF-1.4\n")
        scratch.file("empty.png", "")
        mkdir(scratch["d.rtfd"], 0o700)
        mkdir(scratch["d"], 0o700)
        mkfifo(scratch["fifo.pdf"], 0o600)
        symlink("liar.jpg", scratch["link.jpg"])
        let names = ["liar.jpg", "none", "empty.png", "d.rtfd/", "d", "fifo.pdf", "link.jpg", "none/x"]
        let run = inboxctl(bytes: [Array("type".utf8), odd] + names.map { Array(scratch[$0].utf8) } + [[0x2F]])
        let expected = [
            "\(scratch["c"])\\xff\\x0a: public.plain-text (text/plain)",
            "\(scratch["liar.jpg"]): com.adobe.pdf (application/pdf), not what its name says",
            "\(scratch["empty.png"]): public.png (image/png)",
            "\(scratch["d.rtfd/"]): com.apple.rtfd (-)",
            "\(scratch["d"]): public.folder (inode/directory)",
            "\(scratch["fifo.pdf"]): public.item (-), unread",
            "\(scratch["link.jpg"]): public.symlink (inode/symlink)",
            "/: public.folder (inode/directory)",
        ]
        #expect(run.output.split(separator: "\n").map(String.init) == expected)
        #expect(
            run.errors == "inboxctl: \(scratch["none"]): No such file or directory\n"
                + "inboxctl: \(scratch["none/x"]): No such file or directory\n")
        #expect(run.status == 1)
    }

    @Test(
        "A file that cannot be read is typed by its name, and says so", .enabled(if: geteuid() != 0, "root reads all"))
    func unreadable() throws {
        scratch.file("a.png", "x")
        chmod(scratch["a.png"], 0)
        let run = inboxctl(["type", "--json", scratch["a.png"]])
        let object = try JSONValue(parsing: run.output.utf8)
        #expect(object["type"] == .string("public.png") && object["evidence"] == .string("name"))
        #expect(object["unread"] == .bool(true) && object["mismatch"] == .bool(false))
        #expect(run.status == 0)
    }

    @Test("The JSON has exactly the members of the contract, one object a line, and paths as the wire has them")
    func json() throws {
        let odd = scratch.file(Array("a\\b".utf8) + [0xE9, 0x0A] + Array(".txt".utf8), "%PDF-1.4\n")
        scratch.file("b.png", "")
        let run = inboxctl(bytes: [Array("type".utf8), Array("--json".utf8), odd, Array(scratch["b.png"].utf8)])
        let objects = try run.output.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        let members = [
            "conformsTo", "description", "evidence", "extension", "incomplete", "mime", "mismatch", "path", "type",
            "unread",
        ]
        #expect(objects.map { $0.object?.keys.sorted() } == [members, members])
        #expect(objects[0]["path"] == .string(scratch.path + "/a\\\\b\\xe9\n.txt"))
        #expect(objects[0]["type"] == .string("com.adobe.pdf") && objects[0]["mismatch"] == .bool(true))
        #expect(objects[0]["evidence"] == .string("content"))
        #expect(objects[1]["evidence"] == .string("name") && objects[1]["mime"] == .string("image/png"))
        #expect(
            objects[1]["conformsTo"]
                == .array(["public.image", "public.data", "public.content", "public.item"].map(JSONValue.string)))
    }

    @Test("A broken configuration is one line with the first problem, and 78")
    func brokenConfiguration() {
        let config = scratch.file("c.conf", "[Inbox]\nSettle=soon\nSettel=1\n[Type a_b]\n")
        let path = scratch["c.conf"]
        for words in [["type", "--extension=pdf"], ["conforms", "public.png", "public.image"], ["type", "/"]] {
            let run = inboxctl(bytes: words.map { Array($0.utf8) } + [Array("--config".utf8), config])
            #expect(run.status == 78 && run.output == "")
            #expect(run.errors.hasPrefix("inboxctl: \(path):2: Settle: \"soon\" is not a time span"))
            #expect(run.errors.hasSuffix(" (and 2 more: see \"inboxd --check\")\n"))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let missing = inboxctl(["type", "/", "--config", scratch["none"]])
        #expect(missing.status == 78 && missing.errors == "inboxctl: \(scratch["none"]): there is no such file\n")
    }

    @Test("Own types count for files, tags and conformance")
    func ownTypes() async {
        // What is declared is the whole process's: in one of its own it disturbs no other test.
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchFolder()
            let list = """
                <plist><dict><key>UTExportedTypeDeclarations</key><array><dict>
                <key>UTTypeIdentifier</key><string>com.example.bundle</string>
                <key>UTTypeConformsTo</key><string>com.apple.package</string>
                <key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key><string>mybundle</string>
                </dict></dict></array></dict></plist>
                """
            scratch.file("t.plist", list)
            let config = scratch.file(
                "c.conf",
                """
                [Type com.example.invoice]
                Description=Invoice
                ConformsTo=com.adobe.pdf
                Extensions=inv
                MIMETypes=application/x-invoice
                Magic=0:25504446 9:496e76
                [Types]
                Declarations=\(scratch.path)
                """)
            mkdir(scratch["x.mybundle"], 0o700)
            scratch.file("a.inv", "%PDF-1.4\nInv")
            scratch.file("b.inv", "%PDF-1.4\nother")
            scratch.file("c", "%PDF-1.4\nInv")
            scratch.file("d.pdf", "%PDF-1.4\nInv")
            func answer(_ words: String...) -> Run {
                inboxctl(bytes: words.map { Array($0.utf8) } + [Array("--config".utf8), config])
            }
            let run = answer(
                "type", scratch["a.inv"], scratch["b.inv"], scratch["c"], scratch["d.pdf"], scratch["x.mybundle"])
            let types = run.output.split(separator: "\n").map { $0.dropFirst(scratch.path.count + 1) }
            #expect(
                types == [
                    "a.inv: com.example.invoice (application/x-invoice)",
                    "b.inv: com.example.invoice (application/x-invoice)",
                    "c: com.example.invoice (application/x-invoice)",
                    "d.pdf: com.example.invoice (application/x-invoice)", "x.mybundle: com.example.bundle (-)",
                ])
            #expect(run.errors == "" && run.status == 0)
            let tags = answer(
                "type", "--extension=INV", "--mime=application/x-invoice", "--identifier=com.example.invoice")
            #expect(tags.output.split(separator: "\n").allSatisfy { $0.hasSuffix("application/x-invoice  Invoice") })
            #expect(answer("conforms", "com.example.invoice", "public.data").status == 0)
            #expect(answer("conforms", "com.adobe.pdf", "com.example.invoice").status == 1)
            #expect(
                answer("type", "--identifier=com.example.invoise").errors
                    == "inboxctl: unknown type \"com.example.invoise\": did you mean \"com.example.invoice\"?\n")
            // An expectation that fails in here is recorded, but the process must report it too.
            exit(types.count == 5 ? 0 : 1)
        }
    }
}

import InboxDetection
import Testing
import UniformTypeIdentifiers

@testable import InboxConfiguration
@testable import InboxFiling

@Suite("Own types in the configuration")
struct ConfigurationTypesTests {
    private static let invoice = """
        [Type com.example.invoice]
        Description=Invoice of ours
        ConformsTo=com.adobe.pdf public.composite-content
        Extensions=inv
        Extensions=invoice
        MIMETypes=application/x-invoice
        Magic=0:25504446 9:496E76
        Magic=4:00
        Version=1
        ReferenceURL=https://example.com/invoice
        Imported=no
        """

    @Test("A section becomes a declaration with everything that it says, and its magic")
    func section() throws {
        let configuration = try ConfigurationFixture(Self.invoice).configuration()
        let expected = UTTypeDeclaration(
            identifier: "com.example.invoice", conformsTo: ["com.adobe.pdf", "public.composite-content"],
            description: "Invoice of ours",
            tags: [.filenameExtension: ["inv", "invoice"], .mimeType: ["application/x-invoice"]], version: 1,
            referenceURL: URL(string: "https://example.com/invoice"), kind: .exported,
            origin: "/home/u/.config/inboxd/inboxd.conf:1")
        #expect(configuration.types == [expected])
        let pdf = TypeMagic.Part(offset: 0, bytes: raw("%PDF"))
        let alternatives = [
            [pdf, TypeMagic.Part(offset: 9, bytes: raw("Inv"))], [TypeMagic.Part(offset: 4, bytes: [0])],
        ]
        #expect(configuration.magic == [TypeMagic(identifier: "com.example.invoice", alternatives: alternatives)])
    }

    @Test("Sections of one identifier, in any case of letters, count as one; later lines win and lists grow")
    func merged() throws {
        var fixture = ConfigurationFixture(
            "[Type a.b]\nDescription=one\nExtensions=x\nMagic=0:00\n[Type c.d]\nImported=yes\n"
                + "[Type A.B]\nDescription=two\nExtensions=y\nMagic=0:01")
        fixture.options.assignments = [raw("Type a.b.Version=7"), raw("Type a.b.Magic=")]
        let types = try fixture.configuration().types
        #expect(types.map(\.identifier) == ["a.b", "c.d"])
        #expect(types[0].description == "two" && types[0].version == 7)
        #expect(types[0].tags == [.filenameExtension: ["x", "y"]])
        #expect(types.map(\.kind) == [.exported, .imported])
        #expect(try fixture.configuration().magic == [])
    }

    @Test(
        "Each mistake in a section is a problem at its line",
        arguments: [
            ("[Type]", "conf:1: [Type] needs an identifier, such as [Type com.example.invoice]"),
            (
                "[Type a_b.c]",
                "conf:1: [Type IDENTIFIER]: \"a_b.c\" is not an identifier: the character \"_\" is not allowed: "
                    + "ASCII letters, digits, \"-\", \".\" and characters above U+007F are"
            ),
            (
                "[Type one]",
                "conf:1: [Type IDENTIFIER]: \"one\" is not an identifier: it is not in reverse DNS, such as "
                    + "com.example.document"
            ),
            (
                "[Type a..b]",
                "conf:1: [Type IDENTIFIER]: \"a..b\" is not an identifier: a part between periods is empty"
            ),
            ("[Type a.b]\nExtension=x", "conf:2: unknown key \"Extension\"; did you mean Extensions?"),
            (
                "[Type a_b]\n",
                "conf:1: [Type IDENTIFIER]: \"a_b\" is not an identifier: the character \"_\" is not "
                    + "allowed: ASCII letters, digits, \"-\", \".\" and characters above U+007F are"
            ),
            ("[Type a.b]\nImported=perhaps", "conf:2: Imported: \"perhaps\" is not a boolean (yes or no)"),
            ("[Type a.b]\nVersion=one", "conf:2: Version: \"one\" is not a whole number"),
            (
                "[Type a.b]\nReferenceURL=here",
                "conf:2: ReferenceURL: \"here\" is not a URL, such as https://example.com/format"
            ),
            (
                "[Type a.b]\nConformsTo=public.data what",
                "conf:2: ConformsTo: \"what\" is not an identifier: it is not in reverse DNS, such as "
                    + "com.example.document"
            ),
            (
                "[Type a.b]\nExtensions=.x",
                "conf:2: Extensions: \".x\" is no extension: the dot does not belong to it"
            ),
            ("[Type a.b]\nExtensions=x/y", "conf:2: Extensions: \"x/y\" is no extension: no name can have it"),
            ("[Type a.b]\nMIMETypes=text", "conf:2: MIMETypes: \"text\" is no MIME type"),
            (
                "[Type a.b]\nDescription=\"a\\nb\"",
                "conf:2: Description: \"a\\x0ab\" holds a control character"
            ),
            ("[Type a.b]\nDescription=\"a\\xffb\"", "conf:2: Description: \"a\\xffb\" is not UTF-8"),
            (
                "[Type public.data]",
                "conf:1: public.data: a built-in type cannot be exported; import it to add tags (Imported=yes)"
            ),
            (
                "[Type public.mine]",
                "conf:1: public.mine: an identifier that begins with \"public.\" cannot be exported"
            ),
            (
                "[Type dyn.age80]\nImported=yes",
                "conf:1: dyn.age80: an identifier that begins with \"dyn.\" cannot be declared"
            ),
        ])
    func mistakes(text: String, problem: String) {
        #expect(ConfigurationFixture(text).problems == [problem])
    }

    @Test(
        "Magic is read within its bounds, and each mistake is named",
        arguments: [
            ("0:00", nil), ("4095:ff", nil), ("0:00 0:00", nil), ("\"0:00\" 1:Ab", nil), ("007:00", nil),
            ("0:" + String(repeating: "ab", count: 4096), nil),
            ("00", "\"00\" is not OFFSET:HEX, such as 0:25504446"),
            (":00", "\":00\" is not OFFSET:HEX, such as 0:25504446"),
            ("\"\"", "\"\" is not OFFSET:HEX, such as 0:25504446"),
            ("0:", "no bytes follow the colon"), ("0x1:00", "\"0x1\" is not an offset: a decimal number of bytes"),
            ("-1:00", "\"-1\" is not an offset: a decimal number of bytes"),
            ("0:123", "\"123\" has an odd number of digits (3): each byte needs two"),
            ("0:12g4", "\"g\", character 3 of \"12g4\", is not a hexadecimal digit"),
            ("0:00 1:2", "\"2\" has an odd number of digits (1): each byte needs two"),
            (
                "4095:0000", "\"4095:0000\" reaches beyond the first 4096 bytes, which are all that is read"
            ),
            ("4096:00", "\"4096:00\" reaches beyond the first 4096 bytes, which are all that is read"),
            (
                "99999999999999999999:00",
                "\"99999999999999999999:00\" reaches beyond the first 4096 bytes, which are all that is read"
            ),
        ])
    func magic(value: String, problem: String?) {
        let fixture = ConfigurationFixture("[Type a.b]\nConformsTo=public.data\nMagic=\(value)")
        #expect(fixture.problems == (problem.map { ["conf:3: Magic: \($0)"] } ?? []))
    }

    @Test("Magic has an end: too many alternatives are refused, and too long ones")
    func magicLimits() {
        let many = (0...256).map { "Magic=\($0):00\n" }.joined()
        #expect(
            ConfigurationFixture("[Type a.b]\nConformsTo=public.data\n" + many).problems
                == ["conf:259: Magic: there are more than 256 alternatives"])
        let long = ConfigurationFixture("[Type a.b]\nMagic=0:" + String(repeating: "ab", count: 4097)).problems
        #expect(long.count == 1 && long[0].contains("reaches beyond the first 4096 bytes"))
    }

    @Test(
        "What has a defined winner is a notice at the line that is to be mended",
        arguments: [
            (
                "[Type a.b]\nConformsTo=public.data\nConformsTo=public.imgae",
                "conf:3: a.b: the supertype \"public.imgae\" is not known; it is left out; did you mean public.image?"
            ),
            (
                "[Type a.b]\nConformsTo=com.example.mine\n[Type com.example.mien]\nConformsTo=public.data",
                "conf:2: a.b: the supertype \"com.example.mine\" is not known; it is left out; did you mean "
                    + "com.example.mien?"
            ),
            (
                "[Type a.b]\nConformsTo=c.d\n[Type c.d]\nConformsTo=a.b",
                "conf:4: c.d: conforming to a.b closes a circle; that supertype is left out"
            ),
            (
                "[Type a.b]\nConformsTo=public.data\nExtensions=pdf",
                "conf:3: a.b: .pdf is taken from the built-in type com.adobe.pdf"
            ),
            (
                "[Type a.b]\nConformsTo=public.data\nMIMETypes=image/png\nImported=yes",
                "conf:3: a.b: image/png belongs to public.png, which goes first"
            ),
            (
                "[Type a.b]\nConformsTo=public.data\nExtensions=q1q\n[Type c.d]\nConformsTo=public.data\nExtensions=q1q",
                "conf:6: c.d: .q1q belongs to a.b, which goes first"
            ),
            (
                "[Type a.b]\nExtensions=q1q",
                "conf:1: a.b: it conforms to nothing, so no file is found to be of it; name public.data"
            ),
            ("[Types]\nDeclarations=/nowhere", "conf:2: Declarations: there is no folder /nowhere"),
        ])
    func notices(text: String, notice: String) {
        let fixture = ConfigurationFixture(text)
        #expect(fixture.problems == [])
        #expect(fixture.notices == [notice])
    }

    @Test("What is printed gives the same types again, whatever they are called")
    func printing() throws {
        let text =
            Self.invoice
            + "\n[Type com.é\u{200F}.x]\nDescription=\" a \\\" b\\\\\"\nMagic=\n[Type c.d]\nDescription=\"\"\n"
            + "[Type e.f]\nDescription='x\nImported=yes\n"
        // A quote that is never closed is a mistake; with an apostrophe inside it is none.
        let fixture = ConfigurationFixture(text.replacing("Description='x", with: "Description=it's"))
        let configuration = try fixture.configuration()
        let again = try ConfigurationFixture(configuration.text).configuration()
        #expect(again.ownTypes.sections.map(\.identifier) == configuration.ownTypes.sections.map(\.identifier))
        #expect(again.ownTypes.sections.map(\.settings) == configuration.ownTypes.sections.map(\.settings))
        #expect(configuration.ownTypes.sections.map(\.settings.description)[1...] == [" a \" b\\", "", "it's"])
        #expect(again.magic == configuration.magic)
        let shown = configuration.text
        let lines = shown.split(separator: "\n")
        let extensions = try #require(lines.firstIndex(of: "Extensions=inv invoice"))
        #expect(lines[extensions - 1].hasPrefix("# /home/u/.config/inboxd/inboxd.conf:4, "))
        #expect(lines.contains("Magic=4:00"))
    }
}

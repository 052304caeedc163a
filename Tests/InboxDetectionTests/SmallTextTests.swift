import InboxLinux
import Testing

@testable import InboxDetection

/// Texts of a few lines without a name: a wrong type is worse than none.
@Suite("Small texts without a name")
struct SmallTextTests {
    private func expect(_ text: String, _ wanted: String) throws {
        for found in try BothDetectors.detect(nil, Array(text.utf8)) {
            #expect(found.mime == wanted, "\(text)")
        }
    }

    @Test(
        "Prose that begins with a word of a format is plain text",
        arguments: [
            "Cache manifests were removed from HTML in 2021.\nService workers replace them.\n",
            "CACHE MANIFESTS are gone\n", "Cache manifest\nindex.html\n", "\n CACHE MANIFEST\nindex.html\n",
            "SELECT COMMITTEE REPORT\nMembers present: Ada, Bob\n",
            "CREATE TABLE reservations early\nfor the evening\n",
            "FROM HERE TO ETERNITY\na film\n", "PREFIX notation\nis also called Polish notation.\n",
            "@prefix is a keyword of Turtle.\n", "Regedit4 is old.\nDo not use it.\n", "Begin 644 forms by Monday.\n",
            "begin 644 forms by Monday\nand 666 by Tuesday\n", "---\nYours truly\nAda\n", "---\ntitle\n---\n",
            "Version 5.00\nReleased in May.\n", "Rem Genre is a person.\n", "PERFORMER \"Queen\" was great\n",
            "dn: down\nup: up\n", "\"use strict\" is a directive.\nIt is for JavaScript.\n",
            ".TLD list\n.com\n.org\n", "X:1\nis a cell.\n", "v=0\no=1\n", "diff - a tool\nto compare files\n",
            "Only in summer\ndo we swim here.\n", "Index: A book's last pages\nSee also: Contents\n",
            "--- cut here ---\nsome text\n--- cut here ---\n", "digraph is a word\nfor two letters.\n",
            "\\relax and enjoy\n", "#import things\n", "Forward to Bob\nand to Ada\n",
            "Article 1: all people are equal.\n",
            "\\section is a command of LaTeX.\n", "\\input devices are mice.\n", "%& is odd\n", "$date\n$user\n$home\n",
            "msgid \"x\" is how messages begin.\n", "@article{ is a beginning\n", "FORMAT=25\nSIZE=3\n",
            "[Service]\nCall 555-1234 for service.\n", "[Install] the app\n[Unit] tests\n", "[ver] 2\n",
            "solid\nas a rock\n", "ID;PRODUCT\n1;Hammer\n", "ID;P is a pair\nNext line\n",
            "function of the liver\nend of the story\nreturn to sender\n", "class 1: beginners\nclass 2: advanced\n",
        ])
    func beginnings(text: String) throws { try expect(text, "text/plain") }

    @Test(
        "Markup and mails with a few letters of an older encoding are what they are",
        arguments: [
            ("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n<a><b>Ren\u{E9}</b></a>\n", "application/xml"),
            (
                "From: a@b.de\nTo: c@d.de\nSubject: x\nDate: Tue, 3 Mar 2009 09:08:07 +0000\n\nK\u{F6}ln\n",
                "message/rfc822"
            ),
        ])
    func olderEncoding(text: String, wanted: String) throws {
        for found in try BothDetectors.detect(nil, text.unicodeScalars.map { UInt8($0.value) }) {
            #expect(found.mime == wanted, "\(text)")
        }
    }

    @Test(
        "References and placeholders in brackets are no subtitles",
        arguments: [
            "[1][2] are references.\n", "{1}{2} are placeholders in the text.\n", "{1} see note\n{2} see book\n",
            "[1] Knuth, The Art.\n[2] Wirth, Algorithms.\n", "[1][2] a\nSee above.\n",
        ])
    func brackets(text: String) throws { try expect(text, "text/plain") }

    @Test(
        "Words of programs alone, with no signs between them, are prose or settings of another program",
        arguments: [
            "use the door on the left;\nuse the stairs;\ncall me\n", "set the table\nset the clock\nputs him at ease\n",
            "set -g mouse on\nset -g history-limit 10000\nbind r source-file ~/.tmux.conf\n",
            "rem sleep is good\ncall the doctor\npause for breath\n", "open window\nopen door\nlet light in\n",
            "program of the evening\ncall for papers\nend\n", "input 5 V\noutput 3 V\nwire red\n",
            "add 2 eggs, beaten\ncall a friend\npush the dough\npop in the oven\n", "ADD milk\nRUN home\nCOPY notes\n",
            "DROP the ball\nALTER ego\nCREATE art\n", "INSERT coin\nSELECT game\n",
            "select one\nfrom the list\nwhere needed\n", "with love;\nwith hope;\nwith joy;\nwith luck;\n",
            "handlers = CONFSOLE\n.level = INFO\norg.x.level = INFO\norg.y.level = INFO\norg.z.level = CONFIG\n",
            "color: red;\nsize: 3;\nweight: 2;\n",
        ])
    func words(text: String) throws { try expect(text, "text/plain") }

    @Test(
        "Numbers with commas, dates and lists of words are no tables",
        arguments: [
            "1,000 people\n2,500 cars\n3,200 dogs\n", "10,000\n20,000\n30,000\n", "3,5 kg\n4,2 kg\n1,1 kg\n",
            "12,50 EUR; paid\n13,00 EUR; open\n14,10 EUR; paid\n", "Mon, 1 May\nTue, 2 May\nWed, 3 May\n",
            "01.01.24, 10:00 - Ada: Hallo\n01.01.24, 10:01 - Bob: Hi\n01.01.24, 10:02 - Ada: Bis bald\n",
            "Einkaufsliste: Milch; Brot; Butter\nMorgen: Eier; Salz; Mehl\n",
            "first name:\tAda\nlast name:\tLovelace\nborn:\t1815\n",
            "ACTION==\"add\", SUBSYSTEM==\"usb\", MODE=\"0660\"\nACTION==\"remove\", SUBSYSTEM==\"usb\", RUN+=\"/x\"\n",
        ])
    func numbers(text: String) throws { try expect(text, "text/plain") }

    @Test(
        "Notes in fields that mail has too are no mail",
        arguments: [
            "Received: one parcel\nFrom: the post office\n", "Received: yes\nPaid: no\n",
            "Path: left, then right\n", "Return-path: the way back\nFrom: here\n",
            "Message-ID: unknown\nSubject: none\n", "From: Berlin\nTo: Hamburg\nDate: 3 May\nPrice: 20 @ 2\n",
        ])
    func fields(text: String) throws { try expect(text, "text/plain") }

    @Test(
        "Settings of a web server in angle brackets are no XML",
        arguments: [
            "<Directory /srv>\n  Require all granted\n</Directory>\n",
            "<VirtualHost *:80>\n    ServerName example.com\n</VirtualHost>\n",
            "<IfModule mod_ssl.c>\n    SSLEngine on\n</IfModule>\n",
        ])
    func servers(text: String) throws { try expect(text, "text/plain") }

    @Test(
        "A program of a few lines is of its language or plain text, never of another one",
        arguments: [
            ("application/javascript", "const a = 1;\nconst b = 2;\nconst c = a + b;\n"),
            ("application/javascript", "const a = 1\nconst b = 2\nconst c = a + b\n"),
            ("application/javascript", "function add(a, b) {\n  return a + b;\n}\n"),
            ("application/javascript", "class Dog extends Animal {\n  bark() { return 'wuff'; }\n}\n"),
            ("text/x-lua", "function add(a, b)\n  return a + b\nend\n"),
            ("text/x-python", "class A:\n    pass\n"), ("text/x-c++src", "class A {\npublic:\n    int x;\n};\n"),
            ("application/sparql-query", "SELECT ?x WHERE { ?x a ?y }\n"),
        ])
    func programs(mime: String, text: String) throws {
        for found in try BothDetectors.detect(nil, Array(text.utf8)) {
            #expect([mime, "text/plain"].contains(found.mime), "\(text)")
        }
    }

    @Test(
        "Files of a few lines are recognised by what their format requires",
        arguments: [
            ("text/cache-manifest", "CACHE MANIFEST\n# v1\nindex.html\n"),
            ("text/cache-manifest", "\u{FEFF}CACHE MANIFEST # v1\r\nindex.html\r\n"),
            ("text/cache-manifest", "CACHE MANIFEST"),
            ("application/javascript", "\"use strict\"\nlet a = 1\n"),
            ("application/sql", "SELECT name, age\nFROM users\nWHERE age > 3;\n"),
            ("application/sql", "CREATE TABLE a (b int);\n"),
            ("text/x-dockerfile", "FROM alpine\nRUN apk add git\nCMD [\"sh\"]\n"),
            ("text/x-uuencode", "begin 644 a.txt\n#86)C\n`\nend\n"),
            ("text/x-ms-regedit", "REGEDIT4\r\n\r\n[HKEY_A]\r\n"),
            ("application/x-yaml", "---\na: 1\nb: 2\n"), ("application/x-yaml", "---\n# a list\n- a\n- b\n"),
            ("text/x-mpl2", "[10][20]Hello\n[30][40]Bye\n"), ("text/x-microdvd", "{10}{20}Hello\n{30}{40}Bye\n"),
            ("text/x-microdvd", "{1}{1}25.000\n"), ("text/vnd.abc", "X:1\nT:Tune\nK:C\nCDEF\n"),
            ("application/sdp", "v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nt=0 0\n"),
            ("text/x-ldif", "dn: cn=x,dc=y\ncn: x\n"), ("text/vnd.graphviz", "digraph g {\n  a -> b;\n}\n"),
            ("text/turtle", "@prefix a: <http://a/> .\na:b a:c a:d .\n"),
            ("application/sparql-query", "PREFIX a: <http://a/>\nSELECT ?x WHERE { ?x a a:b }\n"),
            ("text/x-systemd-unit", "[Service]\nExecStart=/bin/true\n"),
            ("message/rfc822", "Received: from a by b; Mon, 1 Jan 2024 10:00:00 +0000\nSubject: x\n\nx\n"),
            ("message/rfc822", "Message-ID: <1@example.com>\nSubject: x\n\nx\n"),
            ("text/csv", "name,age\nAda,36\nBob,40\n"), ("text/csv", "a, b, c\n1, 2, 3\n4, 5, 6\n"),
            ("text/tab-separated-values", "a\tb\n1\t2\n3\t4\n"),
            ("application/xml", "<settings version=\"1\">\n<a>1</a>\n</settings>\n"),
            ("application/xml", "<settings>\n<a>1</a>\n</settings>\n"),
            ("text/x-tex", "\\section{Intro}\nHello \\emph{you}.\n"), ("text/x-tex", "\\input macros\n\\bye\n"),
            ("text/x-patch", "diff -u a b\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"),
        ])
    func formats(mime: String, text: String) throws { try expect(text, mime) }
}

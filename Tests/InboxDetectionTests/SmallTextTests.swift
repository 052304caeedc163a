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
        "Settings of a web server in angle brackets are no XML",
        arguments: [
            "<Directory /srv>\n  Require all granted\n</Directory>\n",
            "<VirtualHost *:80>\n    ServerName example.com\n</VirtualHost>\n",
            "<IfModule mod_ssl.c>\n    SSLEngine on\n</IfModule>\n",
        ])
    func servers(text: String) throws { try expect(text, "text/plain") }
}

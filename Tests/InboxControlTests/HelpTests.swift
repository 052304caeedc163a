import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Help")
struct HelpTests {
    @Test("The verb prints what the option prints")
    func sameAsOption() {
        #expect(inboxctl(["help"]) == inboxctl(["--help"]))
        for verb in Verb.all {
            let help = inboxctl(["help", verb.name])
            #expect(help == inboxctl([verb.name, "--help"]) && help == inboxctl(["--help", verb.name]))
        }
    }

    @Test("With --json help, the version and the completions are objects too")
    func objects() throws {
        for words in [["help"], ["--help"], ["help", "list"], ["list", "--help"]] {
            let object = try JSONValue(parsing: inboxctl(["--json"] + words).output.utf8)
            #expect(object["usage"]?.string == inboxctl(words).output)
        }
        #expect(try JSONValue(parsing: inboxctl(["--version", "--json"]).output.utf8)["version"]?.string != nil)
        let script = try JSONValue(parsing: inboxctl(["completions", "bash", "--json"]).output.utf8)
        #expect(script["text"]?.string == inboxctl(["completions", "bash"]).output)
    }

    @Test("Every verb shows examples, and each of them is a command line of that verb")
    func examples() {
        for verb in Verb.all {
            #expect(!verb.examples.isEmpty, "\(verb.name)")
            for example in verb.examples { #expect(example.hasPrefix("inboxctl \(verb.name)"), "\(example)") }
            #expect(inboxctl(["help", verb.name]).output.contains("\n  $ \(verb.examples[0])\n"))
        }
    }

    @Test(
        "A slip gets a suggestion, and a wild guess none",
        arguments: [
            ("evnets", "events"), ("histroy", "history"), ("compl", "completions"), ("hlep", "help"), ("lists", "list"),
            ("puts", "put"), ("rat", nil), ("it", nil), ("x", nil), ("show", nil), ("start", nil), ("stop", nil),
        ] as [(String, String?)])
    func suggestions(word: String, meant: String?) {
        let expected = meant.map { "did you mean \"\($0)\"?" } ?? "try \"inboxctl --help\""
        for words in [[word], ["help", word]] {
            let run = inboxctl(words)
            #expect(run == Run(status: 64, output: "", errors: "inboxctl: unknown verb \"\(word)\": \(expected)\n"))
        }
    }

    @Test(
        "The beginning that two identifiers share is no reason to confuse them",
        arguments: [("public.foo", nil), ("com.adobe.xyz", nil), ("public.jepg", "public.jpeg")] as [(String, String?)])
    func identifiers(name: String, meant: String?) {
        let expected = meant.map { ": did you mean \"\($0)\"?" } ?? ""
        #expect(inboxctl(["type", "--identifier", name]).errors == "inboxctl: unknown type \"\(name)\"\(expected)\n")
    }

    @Test("More than one verb is wrong usage")
    func tooMany() {
        #expect(inboxctl(["help", "list", "status"]).status == 64)
    }
}

import InboxConfiguration
import InboxFiling
import Testing

@testable import inboxctl

@Suite("The command line")
struct CommandLineTests {
    private static let options = [
        Option(name: "socket", argument: "PATH", help: ""), Option(name: "json", help: ""),
        Option(name: "help", short: "h", help: ""),
    ]

    private func parse(_ words: [String]) throws -> [String] {
        let arguments = try ArgumentParser.parse(words.map { Array($0.utf8) }, Self.options, of: "inboxctl")
        return arguments.options.map { option in
            option.name + (option.value.map { "=" + String(decoding: $0, as: UTF8.self) } ?? "")
        } + ["|"] + arguments.operands.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Options are read as GNU programs read them",
        arguments: [
            ([], ["|"]), (["a", "b"], ["|", "a", "b"]), (["--json"], ["json", "|"]),
            (["--socket=/s", "a"], ["socket=/s", "|", "a"]), (["--socket", "/s", "a"], ["socket=/s", "|", "a"]),
            (["a", "--json", "b"], ["json", "|", "a", "b"]), (["--", "--json", "--"], ["|", "--json", "--"]),
            (["--socket", "--json"], ["socket=--json", "|"]), (["--socket="], ["socket=", "|"]),
            (["--socket=a=b"], ["socket=a=b", "|"]), (["-h", "-"], ["help", "|", "-"]),
            (["-hh"], ["help", "help", "|"]),
            (["--socket", "--", "--", "x"], ["socket=--", "|", "x"]), (["", "--json"], ["json", "|", ""]),
        ])
    func reads(words: [String], expected: [String]) throws {
        #expect(try parse(words) == expected)
    }

    @Test(
        "What makes no sense is one line with what to do, and status 64",
        arguments: [
            ([], "a verb is missing: try \"inboxctl --help\""),
            (["stauts"], "unknown verb \"stauts\": did you mean \"status\"?"),
            (["lst"], "unknown verb \"lst\": did you mean \"list\"?"),
            (["conf"], "unknown verb \"conf\": did you mean \"config\"?"),
            (["qqqqqq"], "unknown verb \"qqqqqq\": try \"inboxctl --help\""),
            ([""], "unknown verb \"\": try \"inboxctl --help\""),
            (["\u{1B}[31m"], "unknown verb \"\\x1b[31m\": try \"inboxctl --help\""),
            (["--jsno", "status"], "unknown option \"--jsno\": did you mean \"--json\"?"),
            (["status", "--wtach"], "unknown option \"--wtach\": did you mean \"--watch\"?"),
            (["status", "--ver"], "unknown option \"--ver\": did you mean \"--version\"?"),
            (["status", "--qqqqqqqqqq"], "unknown option \"--qqqqqqqqqq\": try \"inboxctl status --help\""),
            (["status", "-x"], "unknown option \"-x\": try \"inboxctl status --help\""),
            (["list", "nonsense"], "unknown state \"nonsense\": the states are waiting, held, ignored"),
            (["completions", "nonsense"], "unknown shell \"nonsense\": there are scripts for bash, zsh and fish"),
            (["status", "--json=1"], "option \"--json\" takes no argument"),
            (["status", "--socket"], "option \"--socket\" needs an argument: --socket=PATH"),
            (["status", "--socket="], "--socket needs a path"),
            (["status", "x"], "unexpected argument \"x\""),
            (["list", "held", "x"], "unexpected argument \"x\""),
            (["list", "hled"], "unknown state \"hled\": did you mean \"held\"?"),
            (["status", "--instance", "../x"], "\"../x\" cannot be the name of an instance"),
            (["status", "--instance=a", "--socket=b"], "--socket and --instance name two daemons: give one of them"),
            (["type"], "nothing to identify: give files, --extension, --mime or --identifier"),
            (["type", "--mime=a/b", "f"], "--mime and files cannot be asked for at once"),
            (["type", "--conforming-to=public.image", "f"], "--conforming-to and files cannot be asked for at once"),
            (
                ["type", "--identifier=public.jpeg", "--conforming-to=public.text"],
                "--conforming-to is for --extension and --mime: an identifier has one type"
            ),
            (
                ["type", "--properties", "--extension=jpg"],
                "--properties is for files: nothing else has a date, a title or an author"
            ),
            (["type", "--instance=../x", "f"], "\"../x\" cannot be the name of an instance"),
            (["type", "--extension", "."], "\".\" is no file-name extension"),
            (["type", "--mime="], "\"\" is no MIME type"),
            (["type", "--identifier=pdf"], "unknown type \"pdf\": did you mean \"com.adobe.pdf\"?"),
            (["put", "--type=image/jpeg", "a"], "unknown type \"image/jpeg\": did you mean \"public.jpeg\"?"),
            (["type", "--identifier=public.imgae"], "unknown type \"public.imgae\": did you mean \"public.image\"?"),
            (["type", "--extension=a", "--conforming-to=x.y"], "unknown type \"x.y\""),
            (["conforms", "public.image"], "two type identifiers are wanted"),
            (
                ["conforms", "public.image", "public.daat"],
                "unknown type \"public.daat\": did you mean \"public.data\"?"
            ),
            (["conforms", "a", "b", "c"], "unexpected argument \"c\""),
        ])
    func refuses(words: [String], message: String) {
        #expect(inboxctl(words) == Run(status: 64, output: "", errors: "inboxctl: \(message)\n"))
    }

    @Test("Words that are not UTF-8 are refused where text is wanted, and shown by their bytes")
    func notText() {
        let bad: [UInt8] = [0x61, 0xFF]
        #expect(inboxctl(bytes: [bad]).errors == "inboxctl: unknown verb \"a\\xff\": try \"inboxctl --help\"\n")
        let run = inboxctl(bytes: [Array("type".utf8), Array("--extension".utf8), bad])
        #expect(
            run == Run(status: 64, output: "", errors: "inboxctl: option \"--extension\": \"a\\xff\" is not UTF-8\n"))
    }

    @Test("Every verb is in the help, and has its own")
    func help() {
        let whole = inboxctl(["--help"])
        #expect(whole.status == 0)
        for verb in Verb.all {
            #expect(whole.output.contains("  \(verb.name)"))
            for words in [[verb.name, "-h"], ["-h", verb.name], [verb.name, "x", "--help"]] {
                #expect(inboxctl(words).status == 0)
            }
            let own = inboxctl([verb.name, "--help"]).output
            for option in verb.options { #expect(own.contains("--" + option.name)) }
            #expect(own.split(separator: "\n").allSatisfy { $0.count <= 100 })
        }
        #expect(inboxctl(["--version"]).output == inboxctl(["status", "--version"]).output)
        #expect(inboxctl(["--version"]).output.hasPrefix("inboxctl "))
    }
}

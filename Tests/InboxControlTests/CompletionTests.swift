import Glibc
import InboxConfiguration
import InboxLinux
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import enum InboxTestSupport.BuiltPrograms
import class InboxTestSupport.Program
import struct InboxTestSupport.TestPath

@testable import inboxctl

/// The scripts in the shells that they are for, with the built program.
@Suite("Completions")
struct CompletionTests {
    private static func shell(_ name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    /// What is typed, and the line that one press of the tabulator makes of it.
    private static let unambiguous = [
        ("inboxctl comple", "inboxctl completions"), ("inboxctl status --wa", "inboxctl status --watch"),
        ("inboxctl list he", "inboxctl list held"), ("inboxctl --json lis", "inboxctl --json list"),
        ("inboxctl type --identifier=public.zsh", "inboxctl type --identifier=public.zsh-script"),
        ("inboxctl conforms public.zsh", "inboxctl conforms public.zsh-script"),
        ("inboxctl conforms public.zsh-script public.zsh", "inboxctl conforms public.zsh-script public.zsh-script"),
        ("inboxctl help ev", "inboxctl help events"),
        ("inboxctl explain /etc/hostna", "inboxctl explain /etc/hostname"),
        ("inboxctl history --state=/et", "inboxctl history --state=/etc/"),
        ("inboxctl history --lim", "inboxctl history --limit="),
        ("inboxctl completions zs", "inboxctl completions zsh"),
    ]

    /// Runs a shell's script; answers what it wrote.
    private func run(_ shell: String, _ script: String, _ arguments: [String]) async throws -> String {
        let scratch = try ScratchFolder()
        scratch.file("script", script)
        let program = try BuiltPrograms.named("inboxctl")
        symlink(program.description, scratch["inboxctl"])
        let output = scratch["output"]
        let run = try Program(
            TestPath(shell), arguments.map { TestPath($0 == "SCRIPT" ? scratch["script"] : $0) },
            environment: ["PATH=\(scratch.path):/usr/bin:/bin", "HOME=\(scratch.path)", "TERM=dumb", "LANG=C.UTF-8"],
            output: TestPath(output), errors: TestPath(scratch["errors"]))
        _ = try await run.ended()
        let written = try FileDescriptor.reading(path: BytePath(output)).contents(limit: 1 << 20) ?? []
        return String(decoding: written, as: UTF8.self)
    }

    @Test("bash", .enabled(if: shell("bash") != nil, "bash is not installed"), arguments: unambiguous)
    func bash(typed: String, completed: String) async throws {
        // Bash takes words apart at equals signs, and replaces the last part.
        var words: [String] = []
        for word in typed.split(separator: " ", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            words += parts.count == 2 ? [parts[0], "=", parts[1]] : parts
        }
        let call = """
            source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _inboxctl; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let replies = try await run(
            try #require(Self.shell("bash")), BashCompletion.script,
            ["--norc", "--noprofile", "-c", call, "SCRIPT"] + words
        ).split(separator: "\n")
        let reply = try #require(replies.count == 1 ? replies.first : nil, "\(replies)")
        let line = typed.dropLast(words.last?.count ?? 0) + reply
        #expect(line == completed || line + "/" == completed)
    }

    @Test("zsh", .enabled(if: shell("zsh") != nil, "zsh is not installed"), arguments: unambiguous)
    func zsh(typed: String, completed: String) async throws {
        // A shell on a terminal of its own; Control-X prints what is on its line.
        let terminal = """
            zmodload zsh/zpty
            zpty z "zsh -f -i"
            zpty -w z "PS1=; unsetopt beep; autoload -Uz compinit; compinit -u -D; source $1; \\
            show() { print -r -- \\"<<\\$BUFFER>>\\"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show; \\
            print READY''NOW"
            zpty -r z out '*READYNOW*'
            zpty -w -n z "$2"$'\\t\\x18'
            zpty -r z out '*<<*>>*'
            out=${out##*<<}
            print -r -- "${out%%>>*}"
            zpty -d z
            """
        let line = try await run(
            try #require(Self.shell("zsh")), ZshCompletion.script, ["-f", "-c", terminal, "zsh", "SCRIPT", typed])
        #expect(line.split(separator: "\n").first?.trimmingBlanks == completed)
    }

    @Test("fish", .enabled(if: shell("fish") != nil, "fish is not installed"), arguments: unambiguous)
    func fish(typed: String, completed: String) async throws {
        let replies = try await run(
            try #require(Self.shell("fish")), FishCompletion.script,
            ["-N", "-c", "source $argv[1]; complete -C $argv[2]", "SCRIPT", typed]
        ).split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        let reply = try #require(replies.count == 1 ? replies.first : nil, "\(replies)")
        let line =
            typed.prefix { $0 != " " } + " "
            + typed.split(separator: " ").dropFirst().dropLast()
            .map { $0 + " " }.joined() + reply
        // Fish offers an option without the sign after it.
        #expect(line == completed || line + "=" == completed)
    }

    @Test("Every verb and every option is in each script, and an unknown shell is answered with those there are")
    func complete() {
        for (shell, option) in [("bash", "--"), ("zsh", "--"), ("fish", "-l ")] {
            let run = inboxctl(["completions", shell])
            #expect(run.status == 0)
            for verb in Verb.all {
                #expect(run.output.contains(verb.name))
                for known in verb.allOptions { #expect(run.output.contains(option + known.name), "\(known.name)") }
            }
            for known in [Option].daemon { #expect(run.output.contains(option + known.name), "\(known.name)") }
        }
        #expect(inboxctl(["completions", "types"]).status == 64)
        #expect(inboxctl(["completions"]).status == 64)
        for shell in ["csh", "fsih", "powershell", ""] {
            let run = inboxctl(["completions", shell])
            #expect(run.status == 64 && run.output.isEmpty)
            #expect(
                run.errors == "inboxctl: unknown shell \"\(shell)\": there are scripts for bash, zsh and fish\n")
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String { String(String(self).reversed().drop { " \r".contains($0) }.reversed()) }
}

import Testing

@testable import InboxDaemon

@Suite("Sockets passed by systemd")
struct PassedSocketsTests {
    private func choice(_ count: String?, _ names: String?, process: String? = "7") -> PassedSockets.Choice {
        PassedSockets(process: process, count: count, names: names, own: 7).choice
    }

    private func isAmbiguous(_ choice: PassedSockets.Choice, naming word: String) -> Bool {
        if case .ambiguous(let text) = choice { text.contains(word) } else { false }
    }

    @Test("Without LISTEN_FDS, or for another process, there is none")
    func none() {
        #expect(choice(nil, nil) == .none)
        #expect(choice("0", "") == .none)
        #expect(choice("1", "control", process: "8") == .none)
        #expect(choice("1", "control", process: nil) == .none)
        #expect(choice("-1", "control") == .none)
        #expect(choice("99999999999999999999", "control") == .none)
    }

    @Test("The one named control is taken, wherever it is in the list")
    func named() {
        #expect(choice("1", "control") == .descriptor(3, remark: nil))
        #expect(choice("3", "web:control:other") == .descriptor(4, remark: nil))
    }

    @Test("A single socket is taken whatever its name, and the remark says what to set")
    func single() {
        for names in ["inboxd.socket", nil, ""] {
            guard case .descriptor(3, let remark?) = choice("1", names) else {
                Issue.record("a single socket named \(names ?? "nothing") is not taken with a remark")
                continue
            }
            #expect(remark.contains("FileDescriptorName=control"))
        }
        guard case .descriptor(3, let remark?) = choice("1", "a\u{1b}[2J") else {
            Issue.record("a single socket with a hostile name is not taken")
            return
        }
        #expect(!remark.contains("\u{1b}"))
    }

    @Test("Several sockets of which none is named control, or more than one, are refused with what to set")
    func ambiguous() {
        #expect(isAmbiguous(choice("2", "a:b"), naming: "FileDescriptorName=control"))
        #expect(isAmbiguous(choice("2", nil), naming: "FileDescriptorName=control"))
        #expect(isAmbiguous(choice("2", "control:control"), naming: "ListenStream="))
        // A list shorter than the count leaves the rest without names.
        #expect(isAmbiguous(choice("3", "a"), naming: "3 passed sockets"))
    }
}

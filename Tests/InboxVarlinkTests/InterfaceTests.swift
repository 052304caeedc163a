import InboxLinux
import Testing

@testable import InboxVarlink

@Suite("Interfaces")
struct InterfaceTests {
    private static let definition = """
        # A test.
        interface com.example.test1
        type Colour (red, light_green)
        type Point (x: int, y: float, colour: ?Colour) # behind
        type Nothing ()
        method Draw(
          name: string, points: []Point, tags: ?[string]string, isFilled: bool, more: ?object, kind: (solid, dashed)
        ) -> (done: Nothing)
        error Broken (why: string)
        """

    @Test("A definition is read")
    func reads() throws {
        let interface = try Interface(parsing: Self.definition)
        #expect(interface.name == "com.example.test1")
        #expect(interface.types["Colour"] == .enumeration(["red", "light_green"]))
        #expect(interface.errors["Broken"] == [VarlinkField(name: "why", type: .string)])
        let draw = try #require(interface.methods["Draw"])
        #expect(draw.output == [VarlinkField(name: "done", type: .named("Nothing"))])
        #expect(draw.input.map(\.name) == ["name", "points", "tags", "isFilled", "more", "kind"])
        #expect(draw.input[1].type == .array(.named("Point")))
        #expect(draw.input[2].type == .nullable(.map(.string)))
    }

    private static let good = "\"name\":\"a\",\"points\":[],\"isFilled\":true,\"kind\":\"solid\""

    @Test(
        "Parameters are held to the definition, and the first that does not fit is named",
        arguments: [
            ("{\(good)}", nil), ("{}", "name"), ("{\(good),\"zzz\":1,\"aaa\":null}", "aaa"),
            ("{\(good),\"tags\":null,\"more\":null}", nil),
            ("{\(good),\"tags\":{\"a\":\"b\"},\"more\":{\"a\":[]}}", nil),
            ("{\(good),\"tags\":{\"a\":1}}", "tags"), ("{\(good),\"tags\":[]}", "tags"),
            ("{\(good),\"more\":[]}", "more"),
            ("{\"name\":1,\"points\":[],\"isFilled\":true,\"kind\":\"solid\"}", "name"),
            ("{\"name\":null,\"points\":[],\"isFilled\":true,\"kind\":\"solid\"}", "name"),
            ("{\"name\":\"a\",\"points\":[{\"x\":1,\"y\":2}],\"isFilled\":true,\"kind\":\"solid\"}", nil),
            (
                "{\"name\":\"a\",\"points\":[{\"x\":1,\"y\":0.5,\"colour\":\"red\"}],\"isFilled\":true,\"kind\":\"solid\"}",
                nil
            ),
            ("{\"name\":\"a\",\"points\":[{\"x\":1.0,\"y\":2}],\"isFilled\":true,\"kind\":\"solid\"}", "points"),
            ("{\"name\":\"a\",\"points\":[{\"x\":1,\"y\":2,\"z\":3}],\"isFilled\":true,\"kind\":\"solid\"}", "points"),
            (
                "{\"name\":\"a\",\"points\":[{\"x\":1,\"y\":2,\"colour\":\"blue\"}],\"isFilled\":true,\"kind\":\"solid\"}",
                "points"
            ),
            ("{\"name\":\"a\",\"points\":[],\"isFilled\":1,\"kind\":\"solid\"}", "isFilled"),
            ("{\"name\":\"a\",\"points\":[],\"isFilled\":true,\"kind\":\"dotted\"}", "kind"),
        ] as [(String, String?)])
    func validates(parameters: String, misfit: String?) throws {
        let interface = try Interface(parsing: Self.definition)
        let values = try #require(try JSONValue(parsing: parameters.utf8).object)
        #expect(interface.misfit(among: values, of: interface.methods["Draw"]?.input ?? []) == misfit)
    }

    @Test(
        "A definition that breaks the grammar is refused with its line",
        arguments: [
            ("", 1), ("interface", 1), ("interface test", 1), ("interface a.b\nmethod", 2),
            ("interface a.b\nmethod lower() -> ()", 2), ("interface a.b\nmethod A() ->", 2),
            ("interface a.b\nmethod A()", 2),
            ("interface a.b\n\ntype A (a: integer)", 3), ("interface a.b\ntype A (a: B)", 2),
            ("interface a.b\ntype A (a: int)\nerror A ()", 3), ("interface a.b\ntype A (a: int, a: int)", 2),
            ("interface a.b\ntype A (a: ??int)", 2), ("interface a.b\ntype A (a: [int]int)", 2),
            ("interface a.b\ntype A (_a: int)", 2), ("interface a.b\ntype A (a: int", 2),
            ("interface a.b\nmethod A(one, two) -> ()", 2), ("interface a.b\nvalue A ()", 2),
        ])
    func refuses(text: String, line: Int) {
        let error = #expect(throws: InterfaceSyntaxError.self) { try Interface(parsing: text) }
        #expect(error?.line == line, "\(String(describing: error))")
    }

    @Test("What the service answers fits what its own definitions promise")
    func repliesFit() throws {
        let inbox = FixedInbox([.waiting("/d/Inbox/a"), .held("/d/Inbox/b")])
        let calls = [
            ("org.varlink.service", "GetInfo", Call("org.varlink.service.GetInfo")),
            (
                "org.varlink.service", "GetInterfaceDescription",
                Call("org.varlink.service.GetInterfaceDescription", ["interface": .string("io.inboxd.Inbox")])
            ),
            ("io.inboxd.Inbox", "GetStatus", Call("io.inboxd.Inbox.GetStatus")),
            ("io.inboxd.Inbox", "ListArrivals", Call("io.inboxd.Inbox.ListArrivals", more: true)),
        ]
        for (name, method, call) in calls {
            let description = Call("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
            let text = try #require(try replies(to: description.bytes).first?.parameters["description"]?.string)
            let interface = try Interface(parsing: text)
            let output = try #require(interface.methods[method]).output
            let answers = try replies(to: call.bytes, from: inbox)
            #expect(!answers.isEmpty)
            for answer in answers {
                #expect(answer.error == nil)
                #expect(interface.misfit(among: answer.parameters, of: output) == nil, "\(method)")
            }
        }
    }

    @Test("Every standard error is in the standard interface with its parameters")
    func errors() throws {
        let interface = try Interface(parsing: Interface.standardDefinition)
        let errors: [ServiceError] = [
            .interfaceNotFound("a"), .methodNotFound("a"), .methodNotImplemented("a"), .invalidParameter("a"),
            .permissionDenied, .expectedMore,
        ]
        #expect(interface.errors.count == errors.count)
        for error in errors {
            let fields = try #require(interface.errors[String(error.name.split(separator: ".").last ?? "")])
            #expect(interface.misfit(among: error.parameters, of: fields) == nil)
        }
    }

    @Test(
        "Every type, member, method and error has a comment above it",
        arguments: [Interface.inboxDefinition, Interface.standardDefinition])
    func comments(definition: String) throws {
        let lines = definition.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        for (index, line) in lines.enumerated().dropFirst() {
            let word = line.prefix { $0.isLetter }
            let isMember = line.dropFirst(word.count).hasPrefix(": ")
            guard isMember || ["type", "method", "error", "interface"].contains(word) else { continue }
            #expect(
                lines[index - 1].hasPrefix("#") || word == "interface" && lines[index - 2].hasPrefix("#"), "\(line)")
        }
    }

    @Test("The types of the replies have the members that the definition has, and no others")
    func replyTypes() throws {
        let interface = try Interface(parsing: Interface.inboxDefinition)
        func members(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        func defined(_ name: String) -> Set<String> {
            if case .structure(let fields)? = interface.types[name] { return Set(fields.map(\.name)) }
            return Set((interface.methods[name]?.output ?? []).map(\.name))
        }
        let status = StatusReport(
            version: "", pid: 1, since: "", paused: false, state: .watching, problems: [], documents: "", inboxes: [],
            counters: Accounting())
        #expect(members(status) == defined("GetStatus"))
        #expect(members(status.counters) == defined("Counters"))
        #expect(members(status.handlers) == defined("Handlers"))
        #expect(members(StatusReport.Failure(id: "", path: nil, detail: "")) == defined("Failure"))
        #expect(members(StatusReport.Inbox(path: "", watching: .inotify, folders: 1)) == defined("Inbox"))
        let arrival = ArrivalReport(path: "", state: .held, reason: "", size: 0, since: "")
        #expect(members(arrival) == defined("Arrival"))
        #expect(members(EventReport(boot: "", number: 1, time: "", kind: .arrived)) == defined("Event"))
        #expect(members(PauseReport(changed: true, waiting: 0)) == defined("Pause"))
        #expect(members(ResumeReport(changed: true, ready: 0)) == defined("Resume"))
        #expect(members(RescanReport(folders: 0, arrivals: 0, complete: true)) == defined("Rescan"))
        #expect(members(RetryReport(arrivals: 0)) == defined("Retry"))
        #expect(members(ReloadReport(changed: true, files: [], notices: [])) == defined("Reload"))
        let explanation = ExplanationReport(
            path: "", type: "", mime: nil, evidence: "", mismatch: false, unread: false, conformsTo: [],
            destination: nil, arrival: nil)
        #expect(members(explanation) == defined("Explain"))
    }

    @Test("The man page has every name of the definition, and the comment of each")
    func page() throws {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let file = try FileDescriptor.reading(path: BytePath("\(folder)/Sources/InboxVarlink/io.inboxd.Inbox.7"))
        let page = String(decoding: try file.contents(limit: 1 << 20) ?? [], as: UTF8.self)
        func words(_ text: some StringProtocol) -> [Substring] {
            String(text).replacing("\\&", with: "").replacing("\\e", with: "\\").replacing("\n.br\n", with: " ")
                .split { " \n".contains($0) }
        }
        let pageWords = words(page).joined(separator: " ")
        let interface = try Interface(parsing: Interface.inboxDefinition)
        for name in Array(interface.types.keys) + interface.methods.keys + interface.errors.keys {
            #expect(page.contains(" \(name)\n"), "\(name)")
        }
        var comment = ""
        for line in Interface.inboxDefinition.split(separator: "\n").dropFirst(5).map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("#") {
                comment += line.dropFirst() + " "
            } else {
                #expect(pageWords.contains(words(comment).joined(separator: " ")), "\(comment)")
                comment = ""
            }
        }
    }
}

import InboxLinux
import Testing

@testable import InboxCore

extension RecoveryTable.Row: CustomTestStringConvertible {
    /// The name of the row.
    public var testDescription: String { name }
}

@Suite("The table of recovery")
struct RecoveryTableTests {
    /// All that can be found of an entry.
    private static let states: [RecoveryState] = RecoveryState.Kind.allCases.flatMap { kind in
        let sources: [RecoveryState.Source] =
            kind == .rename ? [.inInbox, .apart, .gone, .away] : [.staged, .gone, .away]
        // Only of a source that is there contents can be compared.
        return [nil, Boot.current, "earlier", Boot.none].flatMap { boot in
            sources.flatMap { source in
                RecoveryState.Copy.allCases.filter { $0 != .unsearched || source == .staged }.flatMap { copy in
                    [false, true].map { isRecorded in
                        var state = RecoveryState(kind, unsyncedBoot: boot, isRecorded: isRecorded)
                        (state.source, state.copy) = (source, copy)
                        return state
                    }
                }
            }
        }
    }

    /// The records that other daemons have of a document at its destination.
    private static let shared: [RecoveryState] = states.flatMap { state -> [RecoveryState] in
        guard state.kind == .rename, state.doubt == .none, state.record == .missing, state.copy == .marked,
            [.gone, .apart].contains(state.source)
        else { return [] }
        return [RecoveryState.Record.uncertain, .pending, .elsewhere].map { record in
            var state = state
            state.record = record
            return state
        }
    }

    private static func isFirst(_ row: RecoveryTable.Row, for state: RecoveryState) -> Bool {
        RecoveryTable.rows.first { $0.holds(for: state) }?.name == row.name
    }

    @Test("has a row for everything that can be found", arguments: states + shared)
    func whole(_ state: RecoveryState) { #expect(RecoveryTable.steps(for: state) != nil) }

    @Test("loses no document and makes no twin", arguments: RecoveryTable.rows)
    func safe(_ row: RecoveryTable.Row) {
        let states = (Self.states + Self.shared).filter { Self.isFirst(row, for: $0) }
        #expect(!states.isEmpty, "an earlier row hides it")
        let record = row.steps.firstIndex(of: .record)
        for state in states {
            let hasCopy = [.marked, .alike, .byThisRun].contains(state.copy)
            if record != nil { #expect(state.record == .missing && hasCopy && state.kind != .discard, "\(state)") }
            if let clean = row.steps.firstIndex(of: .clean) {
                #expect(state.source == .staged && state.doubt != .thisBoot, "\(state)")
                #expect(state.record == .there || record.map { $0 < clean } == true, "\(state)")
            }
            if row.steps.contains(.recordDoubtful) { #expect(state.record == .uncertain && hasCopy, "\(state)") }
            if state.record == .pending { #expect([[.wait], [.join]].contains(row.steps), "\(state)") }
            if row.steps.contains(.putBack) {
                let isLost = state.doubt != .none && state.copy != .marked && state.copy != .alike
                #expect(state.source == .staged && (state.record == .missing || isLost), "\(state)")
                let isTakenBack = row.steps.contains(.takeBack)
                #expect(state.record == .there || !hasCopy || state.kind == .discard || isTakenBack, "\(state)")
            }
            if row.steps.contains(.end) {
                #expect(row.steps.last == .end && state.source != .away || state.record == .there, "\(state)")
                #expect(state.doubt != .thisBoot, "\(state)")
                if state.source == .staged {
                    #expect(row.steps.contains(.clean) || row.steps.contains(.putBack), "\(state)")
                }
                if state.source == .gone, state.kind == .claim, hasCopy {
                    #expect(record != nil || state.record == .there, "\(state)")
                }
            }
        }
    }

    @Test("inspects both places unless the entry itself and its record say enough")
    func notInspected() {
        func steps(_ boot: String?, isRecorded: Bool) -> [RecoveryTable.Step]? {
            RecoveryTable.steps(for: RecoveryState(.rename, unsyncedBoot: boot, isRecorded: isRecorded))
        }
        #expect(steps(nil, isRecorded: true) == [.end])
        #expect(steps(Boot.current, isRecorded: true) == [.wait])
        #expect(steps(Boot.none, isRecorded: true) == [.keep])
        #expect(steps(nil, isRecorded: false) == nil)
        #expect(steps("earlier", isRecorded: true) == nil)
    }

    private typealias Example = (
        name: String, kind: RecoveryState.Kind, boot: String?, source: RecoveryState.Source, copy: RecoveryState.Copy,
        isRecorded: Bool
    )

    /// For each row, what is found when it is to count.
    private static let examples: [Example] = [
        ("a recorded rename has ended", .rename, nil, .gone, .marked, true),
        ("a rename that happened is recorded", .rename, nil, .gone, .marked, false),
        ("a rename that did not happen ends", .rename, nil, .inInbox, .none, false),
        ("what its owner took is not recorded", .rename, nil, .gone, .none, false),
        ("a document and its files meet", .rename, nil, .apart, .none, false),
        ("a document and its files meet", .rename, "earlier", .apart, .marked, true),
        ("a rename on an absent disk waits", .rename, nil, .away, .none, false),
        ("a move in doubt is recorded", .rename, Boot.current, .gone, .byThisRun, false),
        ("a move in doubt waits for a boot", .rename, Boot.current, .gone, .marked, true),
        ("a doubt in memory is written down", .rename, Boot.none, .gone, .marked, true),
        ("a move that was lost is recorded so", .rename, "earlier", .inInbox, .none, true),
        ("a move that was not lost has ended", .rename, "earlier", .gone, .marked, true),
        ("a marked copy needs no source", .claim, nil, .away, .marked, false),
        ("a source that is away waits", .claim, nil, .away, .alike, false),
        ("a source that is away waits", .discard, nil, .away, .marked, false),
        ("a copy without marks is compared", .claim, nil, .staged, .unsearched, false),
        ("a copy in doubt is recorded", .claim, Boot.current, .staged, .marked, false),
        ("a copy in doubt keeps its source", .claim, Boot.current, .staged, .marked, true),
        ("a copy is recorded, its source goes", .claim, nil, .staged, .byThisRun, false),
        ("a copy without a source is recorded", .claim, nil, .gone, .alike, false),
        ("the source of a lost copy returns", .claim, "earlier", .staged, .none, true),
        ("a recorded source goes", .claim, "earlier", .staged, .marked, true),
        ("a recorded source goes", .discard, nil, .staged, .none, true),
        ("an unrecorded source returns", .claim, nil, .staged, .none, false),
        ("an unrecorded source returns", .discard, nil, .staged, .marked, false),
        ("a claim without a source ends", .claim, nil, .gone, .none, false),
        ("a file of no document returns", .member, nil, .staged, .marked, false),
        ("a file moves back to its document", .member, nil, .gone, .marked, false),
        ("a recorded source goes", .member, nil, .staged, .marked, true),
        ("the source of a lost copy returns", .member, "earlier", .staged, .none, true),
    ]

    @Test(
        "decides by what other daemons of the Inbox say",
        arguments: [
            (RecoveryState.Record.elsewhere, "what another one did has ended", [RecoveryTable.Step.end]),
            (.pending, "what another one may record waits", [.wait]),
            (.uncertain, "what nobody can know is flagged", [.recordDoubtful, .end]),
        ])
    func others(_ row: (record: RecoveryState.Record, name: String, steps: [RecoveryTable.Step])) {
        var state = RecoveryState(.rename, unsyncedBoot: nil, isRecorded: false)
        (state.source, state.copy, state.record) = (.gone, .marked, row.record)
        let found = RecoveryTable.rows.first { $0.holds(for: state) }
        #expect(found?.name == row.name && found?.steps == row.steps)
    }

    @Test("decides by the row of that name", arguments: examples.indices)
    func example(_ index: Int) {
        let (name, kind, boot, source, copy, isRecorded) = Self.examples[index]
        var state = RecoveryState(kind, unsyncedBoot: boot, isRecorded: isRecorded)
        (state.source, state.copy) = (source, copy)
        #expect(RecoveryTable.rows.first { $0.holds(for: state) }?.name == name)
    }
}

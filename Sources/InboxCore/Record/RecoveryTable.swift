import InboxLinux

/// The steps that recovery takes for an entry of the journal: how far the entry says it came, and what is found,
/// decide them.
struct RecoveryTable {
    /// A step of recovery; those of a row are done in their order.
    enum Step: Hashable, Sendable {
        /// Writes the record that is missing.
        case record
        /// Writes that record with a flag, without a handler: another daemon may have recorded the document too.
        case recordDoubtful
        /// Writes down that a recorded document is in the Inbox again: the disk has lost its move.
        case recordLoss
        /// Writes down that the disk may have lost the name, which only the next boot shows.
        case keep
        /// Removes the source if it is still what was copied, else puts it back.
        case clean
        /// Removes the copy of a file whose document has none, or brings the file back that has moved itself.
        case takeBack
        /// Puts the source back into its Inbox.
        case putBack
        /// Compares contents, where nobody waits for it, and asks the table again.
        case compare
        /// Brings a document and the files that belong to it together, and asks the table again.
        case join
        /// Leaves the entry as it is.
        case wait
        /// Ends the entry.
        case end
    }

    /// One row: a set of values for each column, which are those of ``RecoveryState``, and the steps.
    struct Row: Sendable {
        let name: String
        let kinds: Set<RecoveryState.Kind>
        let doubts: Set<RecoveryState.Doubt>
        let sources: Set<RecoveryState.Source>
        let copies: Set<RecoveryState.Copy>
        let records: Set<RecoveryState.Record>
        let steps: [Step]

        init(
            _ name: String, _ kinds: Set<RecoveryState.Kind>, _ doubts: Set<RecoveryState.Doubt>,
            _ sources: Set<RecoveryState.Source>, _ copies: Set<RecoveryState.Copy>,
            _ records: Set<RecoveryState.Record>, _ steps: Step...
        ) {
            (self.name, self.kinds, self.doubts) = (name, kinds, doubts)
            (self.sources, self.copies, self.records, self.steps) = (sources, copies, records, steps)
        }

        func holds(for state: RecoveryState) -> Bool {
            kinds.contains(state.kind) && doubts.contains(state.doubt) && sources.contains(state.source)
                && copies.contains(state.copy) && records.contains(state.record)
        }
    }

    // swift-format-ignore
    /// The rows, of which the first one counts that holds: the kind of entry, whether the disk may have lost the name, where
    /// the source is, what the destination has, whether the history has the record; and what is done.
    static let rows: [Row] = [
        Row("a recorded rename has ended",         .rename,  [.none],      .any,       .any,          [.there],   .end),
        Row("a move in doubt is recorded",         .rename,  [.thisBoot],  .any,       [.byThisRun], [.missing], .record, .wait),
        Row("a move in doubt waits for a boot",    .rename,  [.thisBoot],  .any,       .any,          .any,       .wait),
        Row("a doubt in memory is written down",   .rename,  [.unwritten], .any,       .any,          .any,       .keep),
        Row("a document and its files meet",       .rename,  .any,         [.apart],   .any,          .any,       .join),
        Row("a move that was lost is recorded so", .rename,  [.earlier],   [.inInbox], .any,          .any,       .recordLoss, .end),
        Row("a move that was not lost has ended",  .rename,  [.earlier],   [.gone],    .any,          .any,       .end),
        Row("a rename that did not happen ends",   .rename,  [.none],      [.inInbox], .any,          [.missing], .end),
        Row("what another one did has ended",      .rename,  [.none],      [.gone],    .copied,       [.elsewhere], .end),
        Row("what another one may record waits",   .rename,  [.none],      [.gone],    .copied,       [.pending], .wait),
        Row("what nobody can know is flagged",     .rename,  [.none],      [.gone],    .copied,       [.uncertain], .recordDoubtful, .end),
        Row("a rename that happened is recorded",  .rename,  [.none],      [.gone],    .copied,       [.missing], .record, .end),
        Row("what its owner took is not recorded", .rename,  [.none],      [.gone],    .any,          [.missing], .end),
        Row("a rename on an absent disk waits",    .rename,  .any,         [.away],    .any,          .any,       .wait),

        Row("a marked copy needs no source",       .claim,   .any,         [.away],    .certain,      [.missing], .record, .wait),
        Row("a source that is away waits",         .claimed, .any,         [.away],    .any,          .any,       .wait),
        Row("a copy without marks is compared",    .claimed, .any,         [.staged],  [.unsearched], .any,       .compare),
        Row("a copy in doubt is recorded",         .claim,   [.thisBoot],  .present,   .copied,       [.missing], .record, .wait),
        Row("a copy in doubt keeps its source",    .claimed, [.thisBoot],  .present,   .any,          .any,       .wait),
        Row("a copy is recorded, its source goes", .claim,   .any,         [.staged],  .copied,       [.missing], .record, .clean, .end),
        Row("a copy without a source is recorded", .claim,   .any,         [.gone],    .copied,       [.missing], .record, .end),
        Row("the source of a lost copy returns",   .claimed, [.earlier],   [.staged],  .lost,         [.there],   .putBack, .end),
        Row("a recorded source goes",              .claimed, .any,         [.staged],  .any,          [.there],   .clean, .end),
        Row("a file of no document returns",       .member,  .any,         [.staged],  .any,          [.missing], .takeBack, .putBack, .end),
        Row("a file moves back to its document",   .member,  .any,         [.gone],    [.marked],     [.missing], .takeBack, .end),
        Row("an unrecorded source returns",        .claimed, .any,         [.staged],  .any,          [.missing], .putBack, .end),
        Row("a claim without a source ends",       .claimed, .any,         [.gone],    .any,          .any,       .end),
    ]

    /// Returns the steps for what is known; nil where both places have to be inspected before.
    static func steps(for state: RecoveryState) -> [Step]? { rows.first { $0.holds(for: state) }?.steps }
}

/// The knowledge of recovery about an entry.
struct RecoveryState: Hashable, Sendable {
    /// The document moves by one rename, was claimed, or was claimed to be discarded; or it is a claimed file that goes with a
    /// document, whose record counts.
    enum Kind: CaseIterable { case rename, claim, discard, member }

    /// The disk failed to confirm the name: not at all, in this boot, in an earlier one, or in this run, which could not
    /// write that down.
    enum Doubt: CaseIterable { case none, thisBoot, earlier, unwritten }

    /// The source: not inspected, in the Inbox, apart from files that belong to it, of which some are in the Inbox and some at
    /// the destination, in a staging folder, in neither, or on a disk that is absent.
    enum Source: CaseIterable { case notInspected, inInbox, apart, staged, gone, away }

    /// The destination: has the document by its marks, has what is like it, had it by this run's own knowledge, has it not,
    /// or shows it only by a comparison of contents.
    enum Copy: CaseIterable { case marked, alike, byThisRun, none, unsearched }

    /// The record: in no history, perhaps in one of another daemon, which cannot be read, about to be written by another
    /// daemon, in the history of one, or in this daemon's own. Of what several daemons have, the last one counts.
    enum Record: CaseIterable, Comparable { case missing, uncertain, pending, elsewhere, there }

    var kind: Kind
    var doubt: Doubt
    var source = Source.notInspected
    var copy = Copy.none
    var record: Record

    /// The state of an entry by what it says itself.
    init(_ kind: Kind, unsyncedBoot: String?, isRecorded: Bool) {
        self.kind = kind
        record = isRecorded ? .there : .missing
        doubt =
            switch unsyncedBoot {
            case nil: .none
            case Boot.current: .thisBoot
            // Of a claim its next sync shows it.
            case Boot.none where kind == .rename: .unwritten
            default: .earlier
            }
    }
}

extension Set where Element: CaseIterable {
    fileprivate static var any: Self { Set(Element.allCases) }
}

extension Set<RecoveryState.Kind> {
    fileprivate static var rename: Self { [.rename] }
    fileprivate static var claim: Self { [.claim] }
    fileprivate static var member: Self { [.member] }
    fileprivate static var claimed: Self { [.claim, .discard, .member] }
}

extension Set<RecoveryState.Source> {
    fileprivate static var present: Self { [.staged, .gone] }
}

extension Set<RecoveryState.Copy> {
    fileprivate static var certain: Self { [.marked, .byThisRun] }
    fileprivate static var copied: Self { [.marked, .alike, .byThisRun] }
    fileprivate static var lost: Self { [.none, .byThisRun, .unsearched] }
}

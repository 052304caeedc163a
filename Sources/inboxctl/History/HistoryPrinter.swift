import InboxConfiguration
import InboxVarlink

/// Prints records as they are found.
final class HistoryPrinter {
    private let invocation: Invocation
    private var table: HistoryTable
    private let isAll: Bool
    private var isEmpty = true

    /// - Parameter isAll: whether all records are wanted, for the words where there is none.
    init(invocation: Invocation, isAll: Bool) {
        self.invocation = invocation
        self.isAll = isAll
        table = HistoryTable(screen: invocation.output.screen)
    }

    /// Shows paths from this folder on.
    func show(pathsFrom documents: String?) { table.documents = documents }

    /// Prints one record.
    func print(_ record: JSONValue) throws(CommandFailure) {
        let output = invocation.output
        if isEmpty, !invocation.wantsJSON { try output.write(table.heading) }
        isEmpty = false
        try output.write(invocation.wantsJSON ? record.text + "\n" : table.row(record))
    }

    /// Says to a person that there was none: on a terminal, and where a choice of records was asked for.
    func end() throws(CommandFailure) {
        guard isEmpty else { return }
        guard invocation.output.screen.isTerminal, !invocation.wantsJSON else {
            if !isAll, !invocation.wantsJSON { invocation.complain("no record of the history matches") }
            return
        }
        try invocation.output.write(isAll ? "Nothing was filed yet.\n" : "Nothing in the history matches.\n")
    }
}

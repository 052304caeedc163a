import InboxLinux

// What is due is known apart from the entries of the documents, since it outlives them.
extension Journal {
    /// The document types that have a handler.
    package var handlerTypes: Set<String> { handled.withLock { $0 } }

    /// These document types have a handler from now on: it is due for what is recorded of them.
    package func adopt(handlerTypes: Set<String>) { handled.withLock { $0 = handlerTypes } }

    /// Writes down that handlers are due, of documents that are recorded. No sync: the entry of a document says until its end
    /// that a handler is to be due, and the first try is synced. What cannot be written now precedes the next lines.
    /// - Parameter isFound: nobody else reports these documents.
    package func note(due: [DueHandler], isFound: Bool = false) {
        if due.isEmpty { return }
        var lines = ByteWriter()
        lines.append(Self.newline)
        DueHandlers.append(due, to: &lines)
        written.withLock { written in
            written.owed += lines.bytes
            do throws(SyscallError) { try write([], &written) } catch {
                // Whoever ends the entries of these documents meets the same failure, and reports it.
            }
            open.withLock { open in
                for due in due {
                    open.due.insert(due)
                    open.active.documents[due.id]?.isHandled = false
                    open.resting.documents[due.id]?.isHandled = false
                    if isFound { open.foundOwners.insert(due.owner) }
                }
            }
        }
    }

    /// Returns true if a handler is to be due for a document, of whose record that is not written down yet.
    package func awaitsHandler(_ id: RecordID) -> Bool {
        open.withLock { open in
            [open.resting, open.active].contains { $0.documents[id]?.isHandled == true }
        }
    }

    /// No handler is to be due for these documents, which are about to be recorded.
    package func forgoHandlers(of ids: [RecordID]) throws(SyscallError) {
        let entries = open.withLock { open in
            ids.compactMap { id in
                open.resting.documents[id]?.isHandled = false
                return open.resting.documents[id]
            }
        }
        if entries.isEmpty { return }
        defer { rest(ids) }
        try note(entries, isDurable: true)
    }

    /// Makes sure that all that is due is on the disk.
    package func syncDue() throws(SyscallError) { try append([], isDurable: true) { _ in } }

    /// Writes down that a try of a document's handler is about to begin, or that the one after it is taken back.
    /// - Parameter mark: the end of the history, which the record of the handler's end follows.
    package func noteTry(
        _ number: Int, of id: RecordID, at mark: HistoryMark?, isDurable: Bool
    ) throws(SyscallError) {
        var lines = ByteWriter()
        lines.append(Self.newline)
        DueHandlers.appendTry(number, of: id, at: mark, to: &lines)
        try append(lines.bytes, isDurable: isDurable) { $0.due.note(try: number, of: id, at: mark) }
    }

    /// The ends of these documents' handlers are in the history, or they have none any more. No sync, since a handler runs
    /// at least once, and may do so twice.
    package func endDue(_ ids: [RecordID]) throws(SyscallError) { try end(ids, as: "handled") { $0.due.remove($1) } }

    /// A handler is due.
    package var hasDue: Bool { open.withLock { !$0.due.isEmpty } }

    /// The handlers that are due, in the order of their documents.
    package var due: [DueHandler] { open.withLock { Array($0.due.all) } }

    /// Where the history ended when the last try of those handlers began that were tried.
    package var triedMarks: [RecordID: HistoryMark] { open.withLock { $0.due.marks } }

    /// Returns true if a document's handler is due.
    package func isDue(_ id: RecordID) -> Bool { open.withLock { $0.due[id] != nil } }

    /// Takes the first ones of some owners that are due and not taken.
    /// - Parameter room: how many of each owner.
    /// - Returns: these, and those of the owners who have others.
    package func takeDue(_ room: [UInt32: Int]) -> (taken: [DueHandler], others: Set<UInt32>) {
        open.withLock { $0.due.take(room) }
    }

    /// Gives back what was taken.
    package func giveBack(_ due: [DueHandler]) {
        open.withLock { open in for due in due { open.due.giveBack(due.id) } }
    }

    /// Returns the owners of handlers that are due and that nobody else reports, once.
    package func takeFoundOwners() -> Set<UInt32> {
        open.withLock { open in
            defer { open.foundOwners = [] }
            return open.foundOwners
        }
    }
}

/// The result of `Pause`.
package struct PauseReport: Codable, Hashable, Sendable {
    /// Filing went on before.
    package var changed: Bool
    /// The number of arrivals that wait now.
    package var waiting: Int

    /// A report of these facts.
    package init(changed: Bool, waiting: Int) {
        self.changed = changed
        self.waiting = waiting
    }
}

/// The result of `Resume`.
package struct ResumeReport: Codable, Hashable, Sendable {
    /// Filing was paused before.
    package var changed: Bool
    /// The number of documents that were ready and are filed now.
    package var ready: Int

    /// A report of these facts.
    package init(changed: Bool, ready: Int) {
        self.changed = changed
        self.ready = ready
    }
}

/// The result of `Rescan`.
package struct RescanReport: Codable, Hashable, Sendable {
    /// The number of folders that were read.
    package var folders: Int
    /// The number of arrivals in them.
    package var arrivals: Int
    /// All of it was read; otherwise the rest is read later.
    package var complete: Bool

    /// A report of these facts.
    package init(folders: Int, arrivals: Int, complete: Bool) {
        self.folders = folders
        self.arrivals = arrivals
        self.complete = complete
    }
}

/// The result of `Retry`.
package struct RetryReport: Codable, Hashable, Sendable {
    /// The number of arrivals selected.
    package var arrivals: Int
    /// Filing is paused by someone, so that nothing is filed.
    package var paused: Bool

    /// The number of handlers that run again; absent if none was requested.
    package var handlers: Int?

    /// A report of these facts.
    package init(arrivals: Int, paused: Bool = false, handlers: Int? = nil) {
        self.handlers = handlers
        self.arrivals = arrivals
        self.paused = paused
    }
}

/// The result of `Reload`.
package struct ReloadReport: Codable, Hashable, Sendable {
    /// Something is different from before.
    package var changed: Bool
    /// The files that were read, in their order, as text by section 5 of the contract.
    package var files: [String]
    /// The notices for the caller, a sentence each, printable.
    package var notices: [String]
    /// The Inboxes that are watched now, as text by section 5 of the contract.
    package var inboxes: [String]

    /// A report of these facts.
    package init(changed: Bool, files: [String], notices: [String], inboxes: [String] = []) {
        self.inboxes = inboxes
        self.changed = changed
        self.files = files
        self.notices = notices
    }
}

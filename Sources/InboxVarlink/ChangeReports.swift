/// What `Pause` did.
package struct PauseReport: Codable, Hashable, Sendable {
    /// Whether filing went on before.
    package var changed: Bool
    /// How many arrivals wait now.
    package var waiting: Int

    /// A report of these facts.
    package init(changed: Bool, waiting: Int) {
        self.changed = changed
        self.waiting = waiting
    }
}

/// What `Resume` did.
package struct ResumeReport: Codable, Hashable, Sendable {
    /// Whether filing was paused before.
    package var changed: Bool
    /// How many documents were ready and are filed now.
    package var ready: Int

    /// A report of these facts.
    package init(changed: Bool, ready: Int) {
        self.changed = changed
        self.ready = ready
    }
}

/// What `Rescan` did.
package struct RescanReport: Codable, Hashable, Sendable {
    /// How many folders were read.
    package var folders: Int
    /// How many arrivals are in them.
    package var arrivals: Int
    /// Whether all of it was read; else the rest is read later.
    package var complete: Bool

    /// A report of these facts.
    package init(folders: Int, arrivals: Int, complete: Bool) {
        self.folders = folders
        self.arrivals = arrivals
        self.complete = complete
    }
}

/// What `Retry` did.
package struct RetryReport: Codable, Hashable, Sendable {
    /// How many arrivals were meant.
    package var arrivals: Int
    /// Whether filing is paused by someone, so that nothing is filed.
    package var paused: Bool

    /// How many handlers run again; absent where none was asked for.
    package var handlers: Int?

    /// A report of these facts.
    package init(arrivals: Int, paused: Bool = false, handlers: Int? = nil) {
        self.handlers = handlers
        self.arrivals = arrivals
        self.paused = paused
    }
}

/// What `Reload` did.
package struct ReloadReport: Codable, Hashable, Sendable {
    /// Whether anything is different from before.
    package var changed: Bool
    /// The files that were read, in their order, as text by section 5 of the contract.
    package var files: [String]
    /// What whoever asked should know, a sentence each, printable.
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

/// The result of `GetStatus` (section 5 of the contract).
package struct StatusReport: Codable, Hashable, Sendable {
    /// The state of the daemon as a whole.
    package enum State: String, Codable, Sendable {
        /// All is well.
        case watching
        /// Something is wrong, and `problems` says what.
        case degraded
        /// Nothing new is filed until someone resumes.
        case paused
    }

    /// One Inbox.
    package struct Inbox: Codable, Hashable, Sendable {
        /// The way in which changes in it are noticed.
        package enum Watching: String, Codable, Sendable {
            /// By the kernel's events.
            case inotify
            /// By reading it again and again.
            case polling
            /// It is not there.
            case missing
        }

        /// The path, as text by section 5 of the contract.
        package var path: String
        /// The way in which changes in it are noticed.
        package var watching: Watching
        /// The number of its folders, itself included.
        package var folders: Int
        /// The Inbox is missing because it was removed once it was cleared: `RemoveInbox=yes`.
        package var removed: Bool?

        /// An Inbox with these facts.
        package init(path: String, watching: Watching, folders: Int, removed: Bool = false) {
            self.removed = removed ? true : nil
            self.path = path
            self.watching = watching
            self.folders = folders
        }
    }

    /// The outcomes of handlers since the daemon's start.
    package struct Handlers: Codable, Hashable, Sendable {
        /// Those that have done their work.
        package var done = 0
        /// Documents that were gone before their handler could begin.
        package var gone = 0
        /// Tries that failed and that another one follows.
        package var retried = 0
        /// Documents whose handler has failed for good, and does not run again.
        package var failed = 0
        /// The newest of these.
        package var newest: [Failure] = []

        /// All zero.
        package init() {}
    }

    /// A document whose handler has failed for good.
    package struct Failure: Codable, Hashable, Sendable {
        /// The id of its record.
        package var id: String
        /// Its path, as text by section 5 of the contract, where the caller may know that.
        package var path: String?
        /// The outcome of the last try, in words.
        package var detail: String

        /// A failure of these facts.
        package init(id: String, path: String?, detail: String) {
            self.id = id
            self.path = path
            self.detail = detail
        }
    }

    /// The daemon's version.
    package var version: String
    /// The daemon's process.
    package var pid: Int32
    /// When it started: RFC 3339 in UTC.
    package var since: String
    /// Filing is paused by someone.
    package var paused: Bool
    /// The state of the daemon.
    package var state: State
    /// The current problems, a sentence each, printable.
    package var problems: [String]
    /// The Documents folder, as text by section 5 of the contract.
    package var documents: String
    /// The Inboxes, in the order of the configuration.
    package var inboxes: [Inbox]
    /// The numbers.
    package var counters: Accounting
    /// The outcomes of handlers.
    package var handlers: Handlers

    /// A report of these facts.
    package init(
        version: String, pid: Int32, since: String, paused: Bool, state: State, problems: [String], documents: String,
        inboxes: [Inbox], counters: Accounting, handlers: Handlers = Handlers()
    ) {
        self.version = version
        self.pid = pid
        self.since = since
        self.paused = paused
        self.state = state
        self.problems = problems
        self.documents = documents
        self.inboxes = inboxes
        self.counters = counters
        self.handlers = handlers
    }
}

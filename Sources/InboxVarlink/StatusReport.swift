/// What `GetStatus` answers (section 5 of the contract).
public struct StatusReport: Codable, Hashable, Sendable {
    /// What the daemon as a whole is doing.
    public enum State: String, Codable, Sendable {
        /// All is well.
        case watching
        /// Something is wrong, and `problems` says what.
        case degraded
        /// Nothing new is filed until someone resumes.
        case paused
    }

    /// One Inbox.
    public struct Inbox: Codable, Hashable, Sendable {
        /// How changes in it are noticed.
        public enum Watching: String, Codable, Sendable {
            /// By the kernel's events.
            case inotify
            /// By reading it again and again.
            case polling
            /// It is not there.
            case missing
        }

        /// The path, as text by section 5 of the contract.
        public var path: String
        /// How changes in it are noticed.
        public var watching: Watching
        /// How many folders it has, itself included.
        public var folders: Int

        /// An Inbox with these facts.
        public init(path: String, watching: Watching, folders: Int) {
            self.path = path
            self.watching = watching
            self.folders = folders
        }
    }

    /// The numbers of guarantee 6, and what else is counted since the daemon's start.
    public struct Counters: Codable, Hashable, Sendable {
        /// All arrivals.
        public var seen = 0
        /// Reached their destination.
        public var filed = 0
        /// Dropped because a byte-identical one stood at the destination.
        public var duplicates = 0
        /// There now, and matched by the ignore list.
        public var ignored = 0
        /// There now, and worked on by itself.
        public var waiting = 0
        /// There now, and staying until something changes.
        public var held = 0
        /// Removed or renamed away by their owner before they were filed.
        public var withdrawn = 0
        /// The sizes of what was filed, in bytes.
        public var bytesFiled: Int64 = 0
        /// How often the kernel's queue overflowed.
        public var overflows = 0
        /// How often everything was read anew.
        public var rescans = 0

        /// All nought.
        public init() {}
    }

    /// The daemon's version.
    public var version: String
    /// The daemon's process.
    public var pid: Int32
    /// When it started: RFC 3339 in UTC.
    public var since: String
    /// Whether filing is paused by someone.
    public var paused: Bool
    /// What it is doing.
    public var state: State
    /// What is wrong now, a sentence each, printable.
    public var problems: [String]
    /// The Documents folder, as text by section 5 of the contract.
    public var documents: String
    /// The Inboxes, in the order of the configuration.
    public var inboxes: [Inbox]
    /// The numbers.
    public var counters: Counters

    /// A report of these facts.
    public init(
        version: String, pid: Int32, since: String, paused: Bool, state: State, problems: [String], documents: String,
        inboxes: [Inbox], counters: Counters
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
    }
}

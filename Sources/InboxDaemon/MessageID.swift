/// The `MESSAGE_ID` of each kind of line, by which journalctl(1) finds them. They never change; `systemd/inboxd.catalog`
/// explains each to the person on call, and a test compares the two.
enum MessageID: String, CaseIterable {
    /// A document was filed.
    case filed = "9d0f4b1e6a2c4f7d8e3b5a6c7d8e9f01"
    /// A document was discarded because an identical one exists.
    case duplicate = "6a1e9c7d40b84f2f9c35d8e17ab26f04"
    /// A check has rejected a document, which is in the folder for such documents.
    case rejected = "4b7e0d92f5a14c38b6c1e7a83d20f96b"
    /// A document was put back into the Inbox.
    case undone = "e85c1f27a0d34b6e9b42c7f01d6a8395"
    /// The handler of a document has done its work.
    case handled = "d41f7b3a9c5e4e06a2b8c07f16d93e5a"
    /// The handler of a document has failed.
    case handlerFailed = "0b9e52c6f7a14d388d61fa3c94e7b250"
    /// An arrival is held.
    case held = "3f1d0f0c5e0b4a4e9f0e5a8f6c1b7d21"
    /// An arrival is no longer held or retried.
    case released = "8a7a4fbc0d9141f0b0c2f9f6f6c2a9c4"
    /// An arrival could not be filed for a reason that may pass.
    case retrying = "c5b0e4a6d3f94f57a1d0c8be24a7f013"
    /// Something is wrong with the daemon's surroundings.
    case problemBegan = "5b9b6c3ce7cf4d83a6d9e4c0f1a25e77"
    /// A problem is over.
    case problemEnded = "e02c4c6a49f84b0b8f6a3d1b7ce9d550"
    /// The kernel's event queue overflowed.
    case overflow = "27f5d3f8b1a64c3c9b7e0a2d4f6c8e19"
    /// Another configuration is in force.
    case reloaded = "b7d1c3a2f0e94f1c8a5b2d7e6c4f9038"
    /// The configuration is broken, and the former one stays in force.
    case reloadFailed = "4c8e2b90d7a64de3b1f5a08c3e6d7f12"
    /// The daemon did not start, or its work has ended by a failure.
    case startFailed = "f2a6d81c5b3e4790a4c19e7d0f58b36e"
    /// A client of the control socket was refused what it may not do.
    case refused = "71c0a9e4d25b4f6c9e1f38b6a4d7025c"
    /// Lines of the log were dropped.
    case linesDropped = "0e6f5a1d9c3b47288f2a7d4e1b6c5a93"
}

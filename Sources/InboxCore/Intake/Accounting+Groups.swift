import InboxVarlink

extension Accounting {
    /// The arrivals of a group that there are now. Only ``ArrivalBook`` changes them, so that the sum holds.
    subscript(group: ArrivalState.Group) -> Int {
        get {
            switch group {
            case .waiting: waiting
            case .held: held
            case .ignored: ignored
            }
        }
        set {
            switch group {
            case .waiting: waiting = newValue
            case .held: held = newValue
            case .ignored: ignored = newValue
            }
        }
    }
}

/// The findings of a subject.
struct Findings {
    var measurements: [Measurement] = []
    /// The facts to know beside the figures, such as missing peers.
    var notes: [String] = []
}

/// A measured value beside its floor: what the same work costs at the very least, measured in the same run.
struct Measurement {
    /// The unit of a figure.
    enum Unit: String {
        case nanoseconds, bytes, count
    }

    /// The wanted value, from the list of goals.
    enum Goal {
        /// So many times the floor at most.
        case ratio(Double)
        /// So much at most, in the unit.
        case figure(Double)
    }

    let what: String
    let unit: Unit
    let figure: Samples
    /// The name of the floor and its samples; nil if there is none.
    let floor: (name: String, samples: Samples)?
    let goal: Goal?
    /// The figure is another program's.
    let isPeer: Bool

    init(
        _ what: String, unit: Unit = .nanoseconds, _ figure: Samples, floor: (name: String, samples: Samples)? = nil,
        goal: Goal? = nil, isPeer: Bool = false
    ) {
        self.what = what
        self.unit = unit
        self.figure = figure
        self.floor = floor
        self.goal = goal
        self.isPeer = isPeer
    }

    /// The figure as a multiple of the floor, round by round if the two took turns.
    var ratio: Samples? { floor.flatMap { figure.divided(by: $0.samples) } }

    /// The goal is met; nil if there is none.
    var isMet: Bool? {
        switch goal {
        case .ratio(let most)?: ratio.map { $0.median <= most }
        case .figure(let most)?: figure.median <= most
        case nil: nil
        }
    }
}

/// What a subject found.
struct Findings {
    var measurements: [Measurement] = []
    /// What has to be known beside the figures: peers that are missing, say.
    var notes: [String] = []
}

/// A measured value beside its floor: what the same work costs at the very least, measured in the same run.
struct Measurement {
    /// What counts.
    enum Unit: String {
        case nanoseconds, bytes, count
    }

    /// What is wanted, from the list of goals.
    enum Goal {
        /// So many times the floor at most.
        case ratio(Double)
        /// So much at most, in the unit.
        case figure(Double)
    }

    let what: String
    let unit: Unit
    let figure: Samples
    /// What the floor is, and what it took; nil where there is none.
    let floor: (name: String, samples: Samples)?
    let goal: Goal?
    /// Whether it is another program's figure.
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

    /// How many times the floor it is, round by round where the two took turns.
    var ratio: Samples? { floor.flatMap { figure.divided(by: $0.samples) } }

    /// Whether the goal is met; nil where there is none.
    var isMet: Bool? {
        switch goal {
        case .ratio(let most)?: ratio.map { $0.median <= most }
        case .figure(let most)?: figure.median <= most
        case nil: nil
        }
    }
}

/// A unit that names are compared by: a byte, or a character in any composition.
protocol GlobUnit: Comparable, Hashable, Sendable {
    init(ascii: Unicode.Scalar)
    /// The same in lower case, as patterns are stored.
    var folded: Self { get }
    /// The unit of a name as it is compared with `folded` ones; a name's characters are folded once, before.
    var compared: Self { get }
    /// The same in upper case.
    var capital: Self { get }
}

extension UInt8: GlobUnit {
    var folded: UInt8 { Glob.lowered(self) }
    var compared: UInt8 { Glob.lowered(self) }
    var capital: UInt8 { isASCIILetter ? self & ~0x20 : self }
}

extension Character: GlobUnit {
    init(ascii: Unicode.Scalar) { self.init(ascii) }

    var folded: Character {
        let text = lowercased()
        // Both small sigmas are one letter.
        if text == "ς" { return "σ" }
        return text.count == 1 ? Character(text) : self
    }

    var compared: Character { self }

    var capital: Character {
        let text = uppercased()
        return text.count == 1 ? Character(text) : self
    }
}

/// The kinds of text that a stretch of a name may be.
enum GlobStep<Unit: GlobUnit>: Hashable, Sendable {
    case one(Unit)
    case any
    case set([ClosedRange<Unit>], negated: Bool)
    /// Any units; in a path none that is a slash.
    case run
    /// Any units of a path, slashes too: `**`.
    case span
    /// Any number of whole folders of a path, each with its slash, or none: `**/` where a component begins.
    case folders

    var literal: Unit? {
        if case .one(let unit) = self { return unit }
        return nil
    }

    /// Returns whether it may be this one unit, whose case counts.
    func accepts(_ unit: Unit) -> Bool {
        switch self {
        case .one(let wanted): wanted == unit
        case .any: true
        case .set(let ranges, let negated): ranges.contains { $0.contains(unit) } != negated
        case .run, .span, .folders: false
        }
    }
}

/// A glob taken apart, to be compared with names unit by unit.
struct GlobSteps<Unit: GlobUnit>: Hashable, Sendable {
    /// No two runs follow each other.
    let steps: [GlobStep<Unit>]
    private let ignoresCase: Bool
    /// It is compared with paths, where only `**` goes beyond a slash.
    private let isPath: Bool
    /// The units with which every matching name ends.
    let ending: [Unit]
    /// Units: no shorter name matches.
    private let least: Int

    private static var slash: Unit { Unit(ascii: "/") }

    /// Reads a pattern; any units are one. A `[` without its end means itself.
    init(_ pattern: ArraySlice<Unit>, ignoringCase ignoresCase: Bool, isPath: Bool = false) {
        self.ignoresCase = ignoresCase
        self.isPath = isPath
        var steps: [GlobStep<Unit>] = []
        func literal(_ unit: Unit) { steps.append(.one(ignoresCase ? unit.folded : unit)) }
        var rest = pattern
        while let unit = rest.popFirst() {
            switch unit {
            case Unit(ascii: "*"):
                if isPath, rest.first == unit {
                    let isFirst = steps.isEmpty || steps.last == .one(Self.slash)
                    rest = rest.drop { $0 == unit }
                    if isFirst, rest.first == Self.slash {
                        rest.removeFirst()
                        steps.append(.folders)
                    } else {
                        steps.append(.span)
                    }
                } else if steps.last != .run, steps.last != .span {
                    steps.append(.run)
                }
            case Unit(ascii: "?"): steps.append(.any)
            case Unit(ascii: "\\"): literal(rest.popFirst() ?? unit)
            case Unit(ascii: "["):
                if let (set, after) = Self.set(rest) {
                    steps.append(set)
                    rest = after
                } else {
                    literal(unit)
                }
            default: literal(unit)
            }
        }
        self.steps = steps
        ending = steps.reversed().prefix { $0.literal != nil }.compactMap(\.literal).reversed()
        least = steps.count { $0 != .run && $0 != .span && $0 != .folders }
    }

    private static func set(_ text: ArraySlice<Unit>) -> (GlobStep<Unit>, rest: ArraySlice<Unit>)? {
        var rest = text
        var ranges: [ClosedRange<Unit>] = []
        let negated = rest.first == Unit(ascii: "!") || rest.first == Unit(ascii: "^")
        if negated { rest.removeFirst() }
        var isFirst = true
        while let low = rest.popFirst() {
            if low == Unit(ascii: "]"), !isFirst { return (.set(ranges, negated: negated), rest) }
            isFirst = false
            if rest.count >= 2, rest.first == Unit(ascii: "-"), rest[rest.startIndex + 1] != Unit(ascii: "]") {
                let high = rest[rest.startIndex + 1]
                rest = rest.dropFirst(2)
                if low <= high { ranges.append(low...high) }
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    /// Returns whether the whole of the name matches.
    func matches(_ name: ArraySlice<Unit>) -> Bool {
        guard name.count >= least, hasEnding(name) else { return false }
        // Most patterns are a `*` and an ending.
        if !isPath, steps.count == ending.count + 1, steps.first == .run { return true }
        var step = 0
        var index = name.startIndex
        // Where to go on when the present way fails: the last `*` takes one unit more, else the last `**` does.
        var run: (step: Int, index: Int)?
        var span: (step: Int, index: Int, isFolders: Bool)?
        while true {
            if step < steps.count {
                switch steps[step] {
                case .run:
                    step += 1
                    run = (step, index)
                    continue
                case .span, .folders:
                    let isFolders = steps[step] == .folders
                    step += 1
                    span = (step, index, isFolders)
                    run = nil
                    continue
                case let wanted:
                    if index < name.endIndex, accepts(wanted, name[index]) {
                        step += 1
                        index += 1
                        continue
                    }
                }
                // What is left of the name is too short for what is left of the pattern, wherever the `*` ends.
                if !isPath, index == name.endIndex { return false }
            } else if index == name.endIndex {
                return true
            }
            if let (start, taken) = run, taken < name.endIndex, !isPath || name[taken] != Self.slash {
                step = start
                index = self.end(ofRunFrom: taken + 1, before: start, in: name)
                run = (start, index)
            } else if let (start, taken, isFolders) = span {
                let end = isFolders ? name[taken...].firstIndex(of: Self.slash) : taken
                guard let end, end < name.endIndex else { return false }
                span = (start, end + 1, isFolders)
                run = nil
                step = start
                index = end + 1
            } else {
                return false
            }
        }
    }

    /// The next place where a run may end: where a unit must follow it, at one of those, or before a slash.
    private func end(ofRunFrom place: Int, before step: Int, in name: ArraySlice<Unit>) -> Int {
        guard step < steps.count, let wanted = steps[step].literal else { return place }
        var place = place
        while place < name.endIndex, (ignoresCase ? name[place].compared : name[place]) != wanted,
            !isPath || name[place] != Self.slash
        {
            place += 1
        }
        return place
    }

    private func hasEnding(_ name: ArraySlice<Unit>) -> Bool {
        guard name.count >= ending.count else { return false }
        var index = name.endIndex - ending.count
        for unit in ending {
            if (ignoresCase ? name[index].compared : name[index]) != unit { return false }
            index += 1
        }
        return true
    }

    /// Returns whether a step that takes one unit may take this one.
    func accepts(_ step: GlobStep<Unit>, _ unit: Unit) -> Bool {
        if isPath, unit == Self.slash { return step.literal == unit }
        guard ignoresCase else { return step.accepts(unit) }
        switch step {
        case .one(let wanted): return wanted == unit.compared
        case .set(let ranges, let negated):
            // A negated set must exclude neither case.
            let (lower, upper) = (unit.compared, unit.capital)
            return ranges.contains { $0.contains(lower) || $0.contains(upper) } != negated
        default: return step.accepts(unit)
        }
    }
}

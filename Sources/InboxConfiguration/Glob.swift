/// A shell pattern over bytes, as glob(7): `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before a character that is meant.
///
/// A dot at the beginning is nothing special here. Matching takes time in proportion to pattern times name at most,
/// whatever the pattern: for the long patterns and paths of strangers there is `PathGlob`.
package struct Glob: Sendable, Hashable {
    /// What a stretch of a name may be.
    enum Step: Hashable {
        case byte(UInt8)
        case any
        case set([ClosedRange<UInt8>], negated: Bool)
        case run

        var literal: UInt8? {
            if case .byte(let byte) = self { return byte }
            return nil
        }

        /// Whether it may be this one byte, whose case counts.
        func accepts(_ byte: UInt8) -> Bool {
            switch self {
            case .byte(let wanted): wanted == byte
            case .any: true
            case .set(let ranges, let negated): ranges.contains { $0.contains(byte) } != negated
            case .run: false
            }
        }
    }

    /// The pattern as it was written.
    let pattern: [UInt8]
    /// The pattern taken apart; no two runs follow each other.
    let steps: [Step]
    private let ignoresCase: Bool
    /// What every matching name ends with.
    private let ending: [UInt8]

    /// Reads a pattern; every byte string is one. A `[` without its end means itself.
    /// - Parameter ignoresCase: whether ASCII letters match in either case.
    package init(_ pattern: [UInt8], ignoringCase ignoresCase: Bool = false) {
        self.pattern = pattern
        self.ignoresCase = ignoresCase
        var steps: [Step] = []
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                if steps.last != .run { steps.append(.run) }
            case UInt8(ascii: "?"): steps.append(.any)
            case UInt8(ascii: "\\"): steps.append(.byte(rest.popFirst() ?? byte))
            case UInt8(ascii: "["):
                if let (set, after) = Self.set(rest) {
                    steps.append(set)
                    rest = after
                } else {
                    steps.append(.byte(byte))
                }
            default: steps.append(.byte(byte))
            }
        }
        self.steps = steps
        ending = steps.reversed().prefix { $0.literal != nil }.compactMap(\.literal).reversed()
    }

    private static func set(_ text: ArraySlice<UInt8>) -> (Step, rest: ArraySlice<UInt8>)? {
        var rest = text
        var ranges: [ClosedRange<UInt8>] = []
        let negated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if negated { rest.removeFirst() }
        var isFirst = true
        while let low = rest.popFirst() {
            if low == UInt8(ascii: "]"), !isFirst { return (.set(ranges, negated: negated), rest) }
            isFirst = false
            if rest.count >= 2, rest.first == UInt8(ascii: "-"), rest[rest.startIndex + 1] != UInt8(ascii: "]") {
                let high = rest[rest.startIndex + 1]
                rest = rest.dropFirst(2)
                if low <= high { ranges.append(low...high) }
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    /// The stretches of bytes that every matching name has in it, in the case of letters that the pattern has.
    var literals: [[UInt8]] {
        steps.split { $0.literal == nil }.map { $0.compactMap(\.literal) }
    }

    /// The byte that every matching name ends with, in lower case where case is ignored; nil where there are several.
    package var lastByte: UInt8? { ending.last.map { ignoresCase ? Self.lowered($0) : $0 } }

    /// The byte that every matching name begins with, in lower case where case is ignored; nil where there are several.
    package var firstByte: UInt8? {
        guard case .byte(let byte)? = steps.first else { return nil }
        return ignoresCase ? Self.lowered(byte) : byte
    }

    /// Whether the whole of the name matches.
    package func matches(_ name: ArraySlice<UInt8>) -> Bool {
        guard hasEnding(name) else { return false }
        // Most patterns are a `*` and an ending.
        if steps.count == ending.count + 1, steps.first == .run { return true }
        var step = 0
        var index = name.startIndex
        // Where to go on when the present way fails: the last `*` takes one byte more.
        var retry: (step: Int, index: Int)?
        while index < name.endIndex {
            if step < steps.count, steps[step] == .run {
                step += 1
                retry = (step, index)
            } else if step < steps.count, accepts(steps[step], name[index]) {
                step += 1
                index = index + 1
            } else if let (start, taken) = retry {
                let next = taken + 1
                retry = (start, next)
                step = start
                index = next
            } else {
                return false
            }
        }
        return steps[step...].allSatisfy { $0 == .run }
    }

    private func hasEnding(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count >= ending.count else { return false }
        var index = name.endIndex - ending.count
        for byte in ending {
            let isSame = ignoresCase ? Self.lowered(name[index]) == Self.lowered(byte) : name[index] == byte
            if !isSame { return false }
            index += 1
        }
        return true
    }

    /// An ASCII letter in lower case; any other byte as it is.
    package static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private func accepts(_ step: Step, _ byte: UInt8) -> Bool {
        guard ignoresCase, byte.isASCIILetter else { return step.accepts(byte) }
        let (lower, upper) = (step.accepts(byte | 0x20), step.accepts(byte & ~0x20))
        // A negated set must exclude neither.
        if case .set(_, negated: true) = step { return lower && upper }
        return lower || upper
    }
}

/// A shell pattern over bytes, as glob(7): `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before a character that is meant.
///
/// A dot at the beginning is nothing special here. Matching takes time in proportion to pattern times name at most,
/// whatever the pattern.
public struct Glob: Sendable, Hashable {
    private enum Step: Hashable {
        case byte(UInt8)
        case any
        case set([ClosedRange<UInt8>], negated: Bool)
        case run
    }

    private let steps: [Step]

    /// Reads a pattern; every byte string is one. A `[` without its end stands for itself.
    public init(_ pattern: [UInt8]) {
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

    /// Whether the whole of the name matches.
    public func matches(_ name: ArraySlice<UInt8>) -> Bool {
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

    private func accepts(_ step: Step, _ byte: UInt8) -> Bool {
        switch step {
        case .byte(let wanted): wanted == byte
        case .any: true
        case .set(let ranges, let negated): ranges.contains { $0.contains(byte) } != negated
        case .run: false
        }
    }
}

import InboxLinux

/// The format in which one kind of value is read from a file and written back.
struct ValueFormat<Value: Sendable>: Sendable {
    /// Reads a value that is not empty.
    let parse: @Sendable ([UInt8]) throws(ValueProblem) -> Value
    /// Writes a value in a form that ``parse`` reads as the same.
    let text: @Sendable (Value) -> String
    /// The value after an empty assignment; nil where that goes back to the default.
    var cleared: Value?

    /// The same with a rule that the value must keep.
    func checked(
        _ rule: String, _ holds: @escaping @Sendable (Value) -> Bool
    ) -> ValueFormat {
        ValueFormat(
            parse: { (bytes: [UInt8]) throws(ValueProblem) -> Value in
                let value = try parse(bytes)
                guard holds(value) else { throw ValueProblem("\(quotedExcerpt(bytes)) is out of range: \(rule)") }
                return value
            }, text: text)
    }

    /// The same for a setting that may be absent: nothing is nil.
    func optional() -> ValueFormat<Value?> {
        ValueFormat<Value?>(parse: parse, text: { $0.map(text) ?? "" }, cleared: .some(nil))
    }
}

extension ValueFormat where Value == Bool {
    /// systemd's booleans, in any case: 1 yes y true t on, 0 no n false f off.
    static let boolean = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> Bool in
            switch String(decoding: bytes.prefix(8), as: UTF8.self).lowercased() {
            case "1", "yes", "y", "true", "t", "on": return true
            case "0", "no", "n", "false", "f", "off": return false
            default: throw .notA("a boolean (yes or no)", bytes)
            }
        }, text: { $0 ? "yes" : "no" })
}

extension ValueFormat where Value == Duration {
    /// A time span.
    static let timeSpan = ValueFormat(parse: TimeSpan.parse, text: TimeSpan.text)
}

extension ValueFormat where Value == Int64 {
    private static let units: [(suffix: String, bytes: Int64)] = [
        ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
    ]

    /// Bytes, with K, M, G or T to the base 1024, a fraction allowed (`1.5G`).
    static let size = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> Int64 in
            var rest = bytes[...]
            let number = DecimalNumber(takenFrom: &rest)
            let suffix = rest.trimmingBlanks()
            let unit =
                suffix.isEmpty || suffix.elementsEqual("B".utf8)
                ? 1 : units.first { suffix.elementsEqual($0.suffix.utf8) }?.bytes
            guard let number, let unit else {
                throw ValueProblem("\(quotedExcerpt(bytes)) is not a size, such as 4096, 64K or 2G")
            }
            guard let total = number.times(unit) else {
                throw ValueProblem("\(quotedExcerpt(bytes)) is larger than any file")
            }
            return total
        },
        text: { size in
            guard size != 0, let unit = units.first(where: { size % $0.bytes == 0 }) else { return "\(size)" }
            return "\(size / unit.bytes)\(unit.suffix)"
        })
}

extension ValueFormat where Value == Int {
    /// A whole number without a sign.
    static let count = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> Int in
            guard bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                throw .notA("a whole number", bytes)
            }
            guard let number = Int(String(decoding: bytes, as: UTF8.self)) else {
                throw .notA("a number of at most 64 bits", bytes)
            }
            return number
        }, text: { "\($0)" })
}

extension ValueFormat where Value == UInt32 {
    /// A file mode in octal, up to 7777.
    static let mode = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> UInt32 in
            guard bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }),
                let mode = UInt32(String(decoding: bytes, as: UTF8.self), radix: 8), mode <= 0o7777
            else { throw .notA("a file mode in octal, such as 0660", bytes) }
            return mode
        },
        text: { mode in
            let digits = String(mode, radix: 8)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        })
}

extension ValueFormat where Value: CaseIterable & RawRepresentable<String> {
    /// One of a few words.
    static var choice: ValueFormat {
        ValueFormat(
            parse: { (bytes: [UInt8]) throws(ValueProblem) -> Value in
                let text = EscapedBytes.printable(bytes.prefix(256))
                if let value = Value(rawValue: text), bytes.count <= 256 { return value }
                let known = Value.allCases.map(\.rawValue)
                let hint = nearest(to: text, among: known).map { "; did you mean \($0)?" } ?? ""
                throw ValueProblem(
                    "\(quotedExcerpt(bytes)) is none of \(known.joined(separator: ", "))\(hint)")
            }, text: { $0.rawValue })
    }
}

/// Values as the configuration writes them, for whoever quotes it.
package enum ValueText {
    /// A size, such as `50M`.
    package static func size(_ bytes: Int64) -> String { ValueFormat<Int64>.size.text(bytes) }
}

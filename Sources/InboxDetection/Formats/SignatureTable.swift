import UniformTypeIdentifiers

/// Bytes that content must have at an offset: a piece of the patterns.
struct SignaturePart: BitwiseCopyable, Sendable {
    let offset: Int32
    let start: UInt16
    fileprivate(set) var count: UInt16
}

/// Parts of which all must match.
struct Signature: BitwiseCopyable, Sendable {
    let format: UInt16
    fileprivate var firstPart: UInt16
    fileprivate var endOfParts: UInt16
    /// The total number of bytes of the parts.
    fileprivate var fixed: UInt16 = 0
    /// The offset and the first byte of the first part: nearly every signature fails there.
    fileprivate var offset: Int32 = 0
    fileprivate var byte: UInt8 = 0
}

/// The signatures of all formats while they are read.
struct Signatures: Sendable {
    fileprivate var signatures: [Signature] = []
    fileprivate var parts: [SignaturePart] = []
    fileprivate var pattern: [UInt8] = []
    private var isOpen = false

    init() {
        signatures.reserveCapacity(1_024)
        parts.reserveCapacity(1_024)
        pattern.reserveCapacity(8_192)
    }

    /// Begins a signature of a format.
    mutating func begin(format: Int) {
        let first = UInt16(clamping: parts.count)
        signatures.append(Signature(format: UInt16(clamping: max(0, format)), firstPart: first, endOfParts: first))
    }

    /// Ends a part: what follows is elsewhere.
    mutating func interrupt() { isOpen = false }

    /// Adds a byte that is wanted at an offset.
    mutating func want(_ byte: UInt8, at offset: Int) {
        guard let last = signatures.indices.last else { return }
        if isOpen, let part = parts.indices.last {
            parts[part].count += 1
        } else {
            parts.append(
                SignaturePart(offset: Int32(clamping: offset), start: UInt16(clamping: pattern.count), count: 1))
            isOpen = true
        }
        if signatures[last].fixed == 0 {
            signatures[last].offset = Int32(clamping: offset)
            signatures[last].byte = byte
        }
        pattern.append(byte)
        signatures[last].fixed += 1
    }

    /// Ends a signature.
    mutating func finish() {
        guard let last = signatures.indices.last else { return }
        signatures[last].endOfParts = UInt16(clamping: parts.count)
        isOpen = false
    }

    /// No byte is wanted by the last signature.
    var isEmpty: Bool { (signatures.last?.fixed ?? 0) == 0 }
}

/// Fixed byte patterns at fixed offsets, found by the content's first byte. It lives as long as the program.
struct SignatureTable: Sendable {
    /// The format found and how many bytes its signature fixed.
    struct Match {
        let format: FormatID
        let fixed: Int
        /// Which signature.
        fileprivate let place: Int
    }

    /// By the byte that they want at offset 0: those of byte b are from `starts[b]` to `starts[b + 1]`; at 256 those that
    /// want none. Within a byte they are in the order of the text.
    private nonisolated(unsafe) let signatures: UnsafeBufferPointer<Signature>
    private nonisolated(unsafe) let starts: UnsafeBufferPointer<Int32>
    private nonisolated(unsafe) let parts: UnsafeBufferPointer<SignaturePart>
    private nonisolated(unsafe) let pattern: UnsafeBufferPointer<UInt8>

    init(_ read: Signatures) {
        func bucket(_ signature: Signature) -> Int { signature.offset == 0 ? Int(signature.byte) : 256 }
        var starts = [Int32](repeating: 0, count: 258)
        for signature in read.signatures { starts[bucket(signature) + 1] += 1 }
        for bucket in 0..<257 { starts[bucket + 1] += starts[bucket] }
        var sorted = read.signatures
        var next = starts
        for signature in read.signatures {
            sorted[Int(next[bucket(signature)])] = signature
            next[bucket(signature)] += 1
        }
        signatures = sorted.kept
        self.starts = starts.kept
        parts = read.parts.kept
        pattern = read.pattern.kept
    }

    /// The next table of an image.
    init(reading image: inout TableImage.Reader) {
        signatures = image.next()
        starts = image.next()
        parts = image.next()
        pattern = image.next()
    }

    /// Adds the table to an image.
    func write(to image: inout TableImage) {
        image.append(signatures)
        image.append(starts)
        image.append(parts)
        image.append(pattern)
    }

    /// Returns whether a format has a signature that begins as one of another format does.
    func has(_ format: FormatID, like other: FormatID) -> Bool {
        signatures.contains { one in
            one.format == format.index
                && signatures.contains {
                    $0.format == other.index && $0.offset == one.offset && $0.byte == one.byte
                }
        }
    }

    /// The longest signature that the content matches; of equally long ones the later one in the table, where
    /// the more special formats are.
    func match(_ content: Bytes) -> Match? {
        guard let first = content.byte(at: 0) else { return nil }
        var best: Match?
        search(Int(first), content, &best)
        search(256, content, &best)
        return best
    }

    private func search(_ bucket: Int, _ content: Bytes, _ best: inout Match?) {
        for place in Int(starts[bucket])..<Int(starts[bucket + 1]) {
            let signature = signatures[place]
            guard content.byte(at: Int(signature.offset)) == signature.byte else { continue }
            if let best, signature.fixed < best.fixed { continue }
            if matches(signature, content) {
                best = Match(
                    format: FormatID(index: signature.format), fixed: Int(signature.fixed), place: place)
            }
        }
    }

    /// Returns whether all bytes of a signature are letters, digits, signs and blanks, so that text may contain them.
    func isPrintable(_ match: Match) -> Bool {
        let signature = signatures[match.place]
        return (signature.firstPart..<signature.endOfParts).allSatisfy { place in
            let part = parts[Int(place)]
            return (Int(part.start)..<(Int(part.start) + Int(part.count))).allSatisfy {
                (0x20..<0x7F).contains(pattern[$0])
            }
        }
    }

    private func matches(_ signature: Signature, _ content: Bytes) -> Bool {
        for place in signature.firstPart..<signature.endOfParts {
            let part = parts[Int(place)]
            let (start, offset, count) = (Int(part.start), Int(part.offset), Int(part.count))
            let wanted = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: pattern[start..<start + count]))
            guard content[offset..<offset + count].isEqual(to: Bytes(wanted)) else { return false }
        }
        return true
    }
}

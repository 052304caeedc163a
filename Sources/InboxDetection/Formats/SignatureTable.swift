import CUniformTypeData

/// Fixed byte patterns at fixed offsets, found by the content's first byte.
struct SignatureTable {
    /// The format found and how many bytes its signature fixed.
    struct Match {
        let format: FormatID
        let fixed: Int
        /// Which signature.
        fileprivate let place: Int
    }

    private let signatures: UnsafePointer<inbox_signature>
    private let starts: UnsafePointer<UInt16>
    private let parts: UnsafePointer<inbox_signature_part>
    private let pattern: Bytes

    init(_ tables: inbox_format_tables) {
        signatures = tables.signatures
        starts = tables.signature_starts
        parts = tables.parts
        pattern = Bytes(UnsafeRawBufferPointer(start: tables.pattern, count: tables.pattern_size))
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
        for place in starts[bucket]..<starts[bucket + 1] {
            let signature = signatures[Int(place)]
            guard content.byte(at: Int(signature.offset)) == signature.byte else { continue }
            if let best, signature.fixed < best.fixed { continue }
            if matches(signature, content) {
                best = Match(
                    format: FormatID(index: signature.format), fixed: Int(signature.fixed), place: Int(place))
            }
        }
    }

    /// Whether all bytes of a signature are letters, digits, signs and blanks, so that text may have them.
    func isPrintable(_ match: Match) -> Bool {
        let signature = signatures[match.place]
        return (signature.first_part..<signature.end_of_parts).allSatisfy { place in
            let part = parts[Int(place)]
            return (Int(part.start)..<(Int(part.start) + Int(part.count))).allSatisfy {
                (0x20..<0x7F).contains(pattern[$0])
            }
        }
    }

    private func matches(_ signature: inbox_signature, _ content: Bytes) -> Bool {
        for place in signature.first_part..<signature.end_of_parts {
            let part = parts[Int(place)]
            let (start, offset, count) = (Int(part.start), Int(part.offset), Int(part.count))
            guard content[offset..<offset + count].isEqual(to: pattern[start..<start + count]) else { return false }
        }
        return true
    }
}

/// The known name that was probably meant by a mistyped one.
///
/// Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment), without regard to
/// ASCII case; of equally near names the first wins. Only the first 64 bytes of a name count, so that a hostile one
/// costs nothing.
/// - Parameters:
///   - name: what was typed.
///   - candidates: the known names, in the order of preference.
///   - limit: how many edits are still a slip; nil takes a third of the longer name, at least one. The parts that two
///     identifiers share up to a dot (`public.`, `com.example.`) say nothing about a slip and are not counted.
///     `Int.max` always gives a name where there is one.
/// - Returns: the nearest name within the limit, or nil.
package func nearest(to name: String, among candidates: some Sequence<String>, limit: Int? = nil) -> String? {
    let typed = foldedBytes(name)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
        let known = foldedBytes(candidate)
        let distance = editDistance(typed, known)
        let allowed = limit ?? max(1, (max(typed.count, known.count) - sharedParts(typed, known)) / 3)
        if distance <= allowed, distance < (best?.distance ?? Int.max) {
            best = (candidate, distance)
        }
    }
    return best?.name
}

private func foldedBytes(_ name: String) -> [UInt8] {
    name.utf8.prefix(64).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
}

/// Returns the number of bytes with which both names begin, up to and including the last shared dot.
private func sharedParts(_ first: [UInt8], _ second: [UInt8]) -> Int {
    let shared = zip(first, second).prefix { $0 == $1 }.count
    return first[..<shared].lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
}

private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for row in first.indices {
        var current = [row + 1]
        for column in second.indices {
            let replaced = last[column] + (first[row] == second[column] ? 0 : 1)
            var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        beforeLast = last
        last = current
    }
    return last[second.count]
}

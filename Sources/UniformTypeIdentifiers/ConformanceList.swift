extension Catalogue {
    /// The supertypes of a declared type in the order of ``UTType/conformanceList``.
    func conformanceList(of row: Int) -> [UTType] { conformanceList(under: types.parents(of: row)) }

    /// These types and all their supertypes in the order of ``UTType/conformanceList``, by rows alone: no set and no
    /// dictionary is needed where every supertype has a number.
    func conformanceList(under supertypes: some Sequence<Int32>) -> [UTType] {
        // Breadth first: the supertypes by steps, and by declaration within a step.
        var found: [Int] = []
        var places = [Int32](repeating: -1, count: types.rows.count)
        func find(_ row: Int32) {
            guard places[Int(row)] < 0 else { return }
            places[Int(row)] = Int32(truncatingIfNeeded: found.count)
            found.append(Int(row))
        }
        for row in supertypes { find(row) }
        var next = 0
        while next < found.count {
            for parent in types.parents(of: found[next]) { find(parent) }
            next += 1
        }
        // A type is ready when all that name it as a supertype have had their turn.
        var pending = [Int](repeating: 0, count: found.count)
        for row in found { for parent in types.parents(of: row) { pending[Int(places[Int(parent)])] += 1 } }
        var ready = LeastFirst()
        for place in found.indices where pending[place] == 0 { ready.insert(place) }
        var list: [UTType] = []
        while let place = ready.popFirst() {
            list.append(UTType(catalogue: self, row: found[place]))
            for parent in types.parents(of: found[place]) {
                let above = Int(places[Int(parent)])
                pending[above] -= 1
                if pending[above] == 0 { ready.insert(above) }
            }
        }
        return list
    }
}

extension UTType {
    /// Returns whether this is `type` or conforms to it, directly or through others.
    ///
    /// One load from a bit matrix, without allocation, where both are declared.
    public func conforms(to type: UTType) -> Bool {
        if case .builtIn(let row) = storage, case .builtIn(let other) = type.storage {
            return Catalogue.builtIn.conformance.holds(Int(row), Int(other))
        }
        return conformsAcross(to: type)
    }

    /// Returns whether this conforms to `type` and is another.
    public func isSubtype(of type: UTType) -> Bool {
        self != type && conforms(to: type)
    }

    /// Returns whether `type` conforms to this and is another.
    public func isSupertype(of type: UTType) -> Bool {
        type.isSubtype(of: self)
    }

    /// Every type that this conforms to, itself left out.
    public var supertypes: Set<UTType> {
        Set(conformanceList)
    }

    /// The types that the declaration names as supertypes, in its order.
    public var directSupertypes: [UTType] {
        guard let (catalogue, row) = place else { return loose?.parents ?? [] }
        return catalogue.types.parents(of: row).map { UTType(catalogue: catalogue, row: Int($0)) }
    }

    /// Every supertype once, a type before all its own supertypes; among those that could come next the one with the
    /// fewest steps from here, then the one that is declared first. Itself left out.
    public var conformanceList: [UTType] {
        if let (catalogue, row) = place { return catalogue.conformanceList(of: row) }
        // Nearly every dynamic type is under built-in ones.
        let rows = directSupertypes.compactMap(\.builtInRow)
        if rows.count == directSupertypes.count { return Catalogue.builtIn.conformanceList(under: rows) }
        // Breadth first: `found` has the supertypes by steps, and by declaration within a step.
        var found: [UTType] = []
        var known: Set<UTType> = [self]
        var wave = [self]
        while !wave.isEmpty {
            var next: [UTType] = []
            for type in wave {
                for parent in type.directSupertypes where known.insert(parent).inserted { next.append(parent) }
            }
            found += next
            wave = next
        }
        return Self.ordered(found)
    }

    /// The types in an order in which each comes before its own supertypes, and else in the given order.
    ///
    /// A type is ready when all that name it as a supertype have had their turn; the first of those that are ready is
    /// next. A hostile chain of declarations may be as long as there are types.
    private static func ordered(_ types: [UTType]) -> [UTType] {
        let places = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1, $0) })
        let parents = types.map { type in Set(type.directSupertypes.compactMap { places[$0] }) }
        var pending = [Int](repeating: 0, count: types.count)
        for parent in parents.joined() { pending[parent] += 1 }
        var ready = LeastFirst()
        for place in types.indices where pending[place] == 0 { ready.insert(place) }
        var list: [UTType] = []
        while let place = ready.popFirst() {
            list.append(types[place])
            for parent in parents[place] {
                pending[parent] -= 1
                if pending[parent] == 0 { ready.insert(parent) }
            }
        }
        return list
    }

    /// Every declared type that conforms to this one, itself left out, in the order of the catalogue.
    public var subtypes: [UTType] {
        let catalogue = Catalogue.current
        guard let own = row(in: catalogue) else { return [] }
        return catalogue.types.rows.indices.filter { $0 != own && catalogue.conformance.holds($0, own) }
            .map { UTType(catalogue: catalogue, row: $0) }
    }

    /// Every declared type, built in or own, in the order of the catalogue.
    public static var allDeclared: [UTType] {
        let catalogue = Catalogue.current
        return catalogue.types.rows.indices.map { UTType(catalogue: catalogue, row: $0) }
    }

    /// Every built-in type, whatever is declared beside them, in the order of the catalogue.
    package static var allBuiltIn: [UTType] {
        Catalogue.builtIn.types.rows.indices.map { UTType(catalogue: .builtIn, row: $0) }
    }

    /// Every file-name extension of this type and of all that conform to it, each once, its own first.
    public var filenameExtensionsOfSubtypes: [String] {
        var known: Set<String> = []
        return ([self] + subtypes).flatMap { $0.tags[.filenameExtension] ?? [] }
            .filter { known.insert($0.lowercased()).inserted }
    }

    /// The row of a built-in type, or nil.
    private var builtInRow: Int32? {
        if case .builtIn(let row) = storage { row } else { nil }
    }

    /// Where one of the two is not built in.
    private func conformsAcross(to type: UTType) -> Bool {
        switch storage {
        // Built-in types conform to built-in ones alone.
        case .builtIn: self == type
        case .own(let catalogue, let row):
            type.row(in: catalogue).map { catalogue.conformance.holds(Int(row), $0) } ?? false
        case .loose(let loose): self == type || loose.parents.contains { $0.conforms(to: type) }
        }
    }
}

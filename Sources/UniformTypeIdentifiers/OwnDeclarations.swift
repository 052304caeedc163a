/// Makes a catalogue out of the built-in declarations and a program's own.
struct OwnDeclarations {
    /// Enough for every application that one machine may have; bounds the memory of the conformance matrix.
    static let limit = 10_000

    private var builder = CatalogueBuilder()
    private(set) var problems: [UTTypeDeclarationProblem] = []
    /// The declaration that made each own row.
    private var declarationOfRow: [Int: UTTypeDeclaration] = [:]

    /// Resolves declarations; `catalogue` is nil where a fatal problem was found.
    static func resolve(
        _ declarations: [UTTypeDeclaration]
    ) -> (catalogue: Catalogue?, problems: [UTTypeDeclarationProblem]) {
        var own = OwnDeclarations()
        own.check(declarations)
        guard !own.problems.contains(where: \.rule.isFatal) else { return (nil, own.problems) }
        for declaration in declarations where declaration.kind == .exported { own.export(declaration) }
        own.builder.claimBuiltInTags()
        for declaration in declarations where declaration.kind == .imported { own.import(declaration) }
        own.builder.keepNewTags()
        own.resolveSupertypes()
        var cycles: [Conformance.Cycle] = []
        let conformance = Conformance(
            rows: &own.builder.types.rows, parents: &own.builder.types.parents, cycles: &cycles)
        own.report(cycles)
        let problems = own.problems
        let declared = own.declarationOfRow
        let catalogue = Catalogue(own.builder, conformance: conformance)
        return (catalogue, problems + ContestedTags.problems(in: catalogue, declared: declared))
    }

    private mutating func check(_ declarations: [UTTypeDeclaration]) {
        if let surplus = declarations.dropFirst(Self.limit).first {
            report(surplus, .tooManyDeclarations, "at most \(Self.limit) types can be declared")
        }
        for declaration in declarations {
            if let error = UTTypeDeclaration.syntaxError(in: declaration.identifier) {
                report(declaration, .identifierSyntax, "the identifier is malformed: \(error)")
                continue
            }
            let key = ASCII.key(of: declaration.identifier)
            if key.starts(with: "dyn.".utf8) {
                report(declaration, .reservedIdentifier, "an identifier that begins with \"dyn.\" cannot be declared")
            } else if declaration.kind == .exported, builder.row(identifier: declaration.identifier) != nil {
                report(declaration, .builtInIdentifier, "a built-in type cannot be exported; import it to add tags")
            } else if declaration.kind == .exported, key.starts(with: "public.".utf8) {
                report(
                    declaration, .reservedIdentifier, "an identifier that begins with \"public.\" cannot be exported")
            }
        }
    }

    private mutating func export(_ declaration: UTTypeDeclaration) {
        if let row = builder.row(identifier: declaration.identifier) {
            let first = declarationOfRow[row]?.origin.map { " (\($0))" } ?? ""
            report(declaration, .duplicateIdentifier, "the type is exported already\(first), which counts")
            return
        }
        add(declaration)
    }

    private mutating func `import`(_ declaration: UTTypeDeclaration) {
        guard let row = builder.row(identifier: declaration.identifier) else {
            add(declaration)
            return
        }
        addTags(of: declaration, to: row)
    }

    private mutating func add(_ declaration: UTTypeDeclaration) {
        let row = builder.addRow(identifier: declaration.identifier)
        if let description = declaration.description { builder.setDescription(description, of: row) }
        builder.types.setDetails(
            TypeRows.Details(
                version: declaration.version, referenceURL: declaration.referenceURL, otherTags: [:],
                isExported: declaration.kind == .exported, origin: declaration.origin),
            of: row)
        declarationOfRow[row] = declaration
        addTags(of: declaration, to: row)
    }

    private mutating func addTags(of declaration: UTTypeDeclaration, to row: Int) {
        var accepted: [UTTagClass: [String]] = [:]
        // By name: the order of a dictionary differs from run to run, and messages should not.
        for (tagClass, texts) in declaration.tags.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for text in texts {
                if let error = UTTypeDeclaration.syntaxError(inTag: text, of: tagClass) {
                    report(declaration, .malformedTag, "\(text.debugDescription) \(error); it is left out")
                } else {
                    accepted[tagClass, default: []].append(UTType.declaredForm(text, of: tagClass))
                }
            }
        }
        builder.addExtensions(accepted.removeValue(forKey: .filenameExtension) ?? [], to: row)
        builder.addMIMETypes(accepted.removeValue(forKey: .mimeType) ?? [], to: row)
        guard !accepted.isEmpty else { return }
        var details =
            builder.types.details(of: row)
            ?? TypeRows.Details(version: nil, referenceURL: nil, otherTags: [:], isExported: true, origin: nil)
        for (tagClass, texts) in accepted {
            for text in texts {
                guard builder.claimOtherTag(Catalogue.key(tag: text, of: tagClass), row: row) else { continue }
                details.otherTags[tagClass, default: []].append(text)
            }
        }
        builder.types.setDetails(details, of: row)
    }

    /// Looks up the supertypes of the own types, now that all are known.
    private mutating func resolveSupertypes() {
        for row in builder.types.builtInCount..<builder.types.rows.count {
            guard let declaration = declarationOfRow[row] else { continue }
            let start = builder.types.parents.count
            for name in declaration.conformsTo {
                guard let parent = builder.row(identifier: name) else {
                    report(
                        declaration, .unknownSupertype,
                        "the supertype \(name.debugDescription) is not known; it is left out")
                    continue
                }
                let parentRow = Int32(truncatingIfNeeded: parent)
                if !builder.types.parents[start...].contains(parentRow) { builder.types.parents.append(parentRow) }
            }
            if builder.types.parents.count == start { standIn(for: declaration) }
            builder.types.rows[row].parents =
                Int32(truncatingIfNeeded: start)..<Int32(truncatingIfNeeded: builder.types.parents.count)
        }
    }

    /// A type whose supertypes are all unknown is taken for data; one that names none is abstract, which tags
    /// contradict.
    private mutating func standIn(for declaration: UTTypeDeclaration) {
        if !declaration.conformsTo.isEmpty, let data = builder.row(identifier: "public.data") {
            builder.types.parents.append(Int32(truncatingIfNeeded: data))
        } else if !declaration.tags.isEmpty {
            report(
                declaration, .noSupertype, "it conforms to nothing, so no file is found to be of it; name public.data")
        }
    }

    private mutating func report(_ cycles: [Conformance.Cycle]) {
        for cycle in cycles {
            guard let declaration = declarationOfRow[cycle.row], let parent = declarationOfRow[cycle.parent] else {
                continue
            }
            report(
                declaration, .conformanceCycle,
                "conforming to \(parent.identifier) closes a circle; that supertype is left out")
        }
    }

    private mutating func report(
        _ declaration: UTTypeDeclaration, _ rule: UTTypeDeclarationProblem.Rule, _ message: String
    ) {
        problems.append(
            UTTypeDeclarationProblem(
                origin: declaration.origin, identifier: declaration.identifier, rule: rule, message: message))
    }
}

import UniformTypeIdentifiers

/// Says which known type an unknown supertype was probably meant to be.
struct SupertypeAdvice {
    /// The search inspects every known type: with thousands of mistakes it would take its time.
    private static let most = 16

    private let known: [String]
    /// The unknown supertypes of each type, in the order in which they are reported.
    private var unknown: [[String?]: ArraySlice<String>] = [:]
    private var given = 0

    init(_ declarations: [UTTypeDeclaration]) {
        known = declarations.map(\.identifier) + UTType.allDeclared.map(\.identifier)
        let keys = Set(known.map { $0.lowercased() })
        for declaration in declarations {
            unknown[[declaration.origin, declaration.identifier]] =
                declaration.conformsTo.filter { !keys.contains($0.lowercased()) }[...]
        }
    }

    /// Returns the words to add to the next report of an unknown supertype of a type.
    mutating func next(for problem: UTTypeDeclarationProblem) -> String {
        guard given < Self.most, let name = unknown[[problem.origin, problem.identifier]]?.popFirst() else { return "" }
        given += 1
        let others = known.filter { $0 != problem.identifier }
        return nearest(to: name, among: others).map { "; did you mean \($0)?" }
            ?? nearest(to: name, among: others, limit: .max).map { "; the nearest known one is \($0)" } ?? ""
    }
}

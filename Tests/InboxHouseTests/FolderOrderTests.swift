import Testing

@Suite("The order of folders inside a room")
struct FolderOrderTests {
    @Test("No folder uses a type of a later one", arguments: FolderOrder.all.map(\.room))
    func order(_ room: String) throws {
        let order = try #require(FolderOrder.all.first { $0.room == room })
        let violations = order.violations(in: try order.files())
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
    }

    private static let sample = FolderOrder(room: "Sample", folders: ["Ground", ".", "Roof"])

    @Test("An arrow that points up is seen, whatever kind of type it points at")
    func planted() {
        for kind in ["struct", "final class", "package enum", "protocol", "typealias"] {
            let files = [
                FolderOrder.File("Ground/Stone.swift", "struct Stone { let tile: Tile }"),
                FolderOrder.File("Roof/Tile.swift", "\(kind) Tile: Sendable {}"),
                FolderOrder.File("Wall.swift", "func wall(_ stone: Stone) {}"),
            ]
            #expect(Self.sample.violations(in: files) == ["Sample/Ground/Stone.swift uses Tile of Roof"])
        }
    }

    @Test("An arrow that is planted among the real files is seen")
    func plantedAmongReal() throws {
        for order in FolderOrder.all {
            let top = try #require(order.folders.last)
            let bottom = try #require(order.folders.first)
            let planted = [
                FolderOrder.File("\(top)/Planted.swift", "struct PlantedAbove {}"),
                FolderOrder.File("\(bottom)/Arrow.swift", "extension PlantedAbove {}"),
            ]
            let violations = order.violations(in: try order.files() + planted)
            #expect(violations.contains("\(order.room)/\(bottom)/Arrow.swift uses PlantedAbove of \(top)"))
        }
    }

    @Test("Comments, strings and types inside others are no arrows, and a new folder needs a place")
    func noArrows() {
        let files = [
            FolderOrder.File("Ground/Stone.swift", "// Tile\nlet name = \"Tile\"\nstruct Stone {}"),
            FolderOrder.File("Roof/Tile.swift", "struct Tile { enum Stone {} }"),
            FolderOrder.File("Cellar/Barrel.swift", "struct Barrel {}"),
        ]
        #expect(Self.sample.violations(in: files) == ["Sample/Cellar has no place in the order"])
    }
}

import CUniformTypeData
import Synchronization

extension Catalogue {
    /// The built-in declarations alone, read at the first use.
    static let builtIn = TableImages.ofTypes.flatMap { Catalogue(image: $0) } ?? Catalogue.read()

    /// Reads the built-in declarations.
    static func read() -> Catalogue {
        var declarations = BuiltInDeclarations()
        declarations.read()
        var cycles: [Conformance.Cycle] = []
        let conformance = Conformance(rows: &declarations.rows, parents: &declarations.parents, cycles: &cycles)
        return Catalogue(
            types: TypeRows(declarations), names: ClaimedNames(declarations), conformance: conformance)
    }

    /// The built-in declarations as an image has them; nil where it was made of others.
    convenience init?(image: UnsafeRawPointer) {
        guard var reader = TableImage.Reader(image, ofText: inbox_uniform_type_declarations_size()) else { return nil }
        self.init(
            types: TypeRows(reading: &reader), names: ClaimedNames(reading: &reader),
            conformance: Conformance(reading: &reader))
    }

    /// An image of the built-in declarations.
    var image: TableImage {
        var image = TableImage(ofText: inbox_uniform_type_declarations_size())
        types.write(to: &image)
        names.write(to: &image)
        conformance.write(to: &image)
        return image
    }

    /// The catalogue that lookups go to: the built-in one until own types are declared.
    static var current: Catalogue {
        // Nearly every program declares nothing, and then no lock is taken.
        guard hasOwnTypes.load(ordering: .acquiring) else { return builtIn }
        return own.withLock { $0 } ?? builtIn
    }

    /// Puts a catalogue in force for every lookup from now on, on any thread.
    /// - Parameter catalogue: one with own types; nil for the built-in one.
    static func replaceCurrent(by catalogue: Catalogue?) {
        // The old one is let go outside the lock: it may be the last reference, and freeing it takes time.
        let old = own.withLock { slot -> Catalogue? in
            let old = slot
            slot = catalogue
            // Inside, so that of two threads the one that fills the slot last has the last word here too.
            hasOwnTypes.store(catalogue != nil, ordering: .releasing)
            return old
        }
        withExtendedLifetime(old) {}
    }

    private static let hasOwnTypes = Atomic<Bool>(false)
    private static let own = Mutex<Catalogue?>(nil)
}

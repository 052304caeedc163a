/// An array whose elements may lie in the program itself, where they are used until the array is changed for the first
/// time: the text of the built-in declarations is copied by no program that declares no types.
struct LentArray<Element: BitwiseCopyable & Sendable>: Sendable {
    /// Where the elements lie: in the program, or in `memory`.
    private nonisolated(unsafe) var start: UnsafePointer<Element>
    private(set) var count: Int
    private var memory: Memory?

    /// Elements that live as long as the program.
    init(lent start: UnsafePointer<Element>, count: Int) {
        self.start = start
        self.count = count
    }

    /// The next array of an image.
    init(reading image: inout TableImage.Reader) {
        let place = image.nextPlace(of: Element.self)
        self.init(lent: place.start, count: place.count)
    }

    /// So many equal elements.
    init(repeating element: Element, count: Int) {
        let memory = Memory(byteCount: Swift.max(1, count) * MemoryLayout<Element>.stride)
        let elements = memory.start.bindMemory(to: Element.self, capacity: count)
        elements.initialize(repeating: element, count: count)
        start = UnsafePointer(elements)
        self.count = count
        self.memory = memory
    }

    /// No elements, and room for some.
    init(minimumCapacity: Int) {
        let memory = Memory(byteCount: Swift.max(1, minimumCapacity) * MemoryLayout<Element>.stride)
        start = UnsafePointer(memory.start.bindMemory(to: Element.self, capacity: minimumCapacity))
        count = 0
        self.memory = memory
    }

    /// The elements of a collection.
    init(copying elements: some Collection<Element>) {
        self.init(minimumCapacity: elements.count)
        append(contentsOf: elements)
    }

    /// Lends the elements.
    @inline(__always)
    func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        withExtendedLifetime(memory) { body(UnsafeBufferPointer(start: start, count: count)) }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        let elements = ownElements(for: count + 1)
        (elements + count).initialize(to: element)
        count += 1
    }

    /// Adds elements at the end.
    mutating func append(contentsOf new: some Collection<Element>) {
        let elements = ownElements(for: count + new.count)
        for element in new {
            (elements + count).initialize(to: element)
            count += 1
        }
    }

    /// The elements in memory that belongs to this value alone, with room for so many.
    private mutating func ownElements(for needed: Int) -> UnsafeMutablePointer<Element> {
        let stride = MemoryLayout<Element>.stride
        if isKnownUniquelyReferenced(&memory), let memory, memory.byteCount >= needed * stride {
            return memory.start.assumingMemoryBound(to: Element.self)
        }
        let new = Memory(byteCount: Swift.max(needed, count + count / 2) * stride)
        let elements = new.start.bindMemory(to: Element.self, capacity: needed)
        elements.initialize(from: start, count: count)
        start = UnsafePointer(elements)
        memory = new
        return elements
    }

    /// Memory that is freed with the last array that uses it.
    private final class Memory: Sendable {
        nonisolated(unsafe) let start: UnsafeMutableRawPointer
        let byteCount: Int

        init(byteCount: Int) {
            start = .allocate(byteCount: byteCount, alignment: MemoryLayout<UInt64>.alignment)
            self.byteCount = byteCount
        }

        deinit { start.deallocate() }
    }
}

extension LentArray: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    /// The element at an index, which is one of the catalogue's own: no name from outside reaches it unchecked.
    subscript(index: Int) -> Element {
        @inline(__always)
        get {
            assert(index >= 0 && index < count, "an index of another array")
            return withExtendedLifetime(memory) { start[index] }
        }
        set {
            precondition(index >= 0 && index < count, "an index of another array")
            ownElements(for: count)[index] = newValue
        }
    }
}

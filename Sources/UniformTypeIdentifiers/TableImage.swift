import CUniformTypeData
import Synchronization

/// The tables of an embedded text as they lie in memory, one array after the other: who identifies a single file need not
/// build them.
///
/// A test makes the images anew from the texts and compares them. An image of a text of another length is not used, so
/// that a changed text counts at once.
package struct TableImage {
    /// The bytes of the image.
    package private(set) var bytes: [UInt8] = []

    /// An image without arrays, of a text with so many bytes.
    package init(ofText size: Int) {
        append(size)
    }

    /// Adds an array: the number of its elements, and the elements, with zeros in the gaps between them.
    package mutating func append<Element: BitwiseCopyable>(_ elements: UnsafeBufferPointer<Element>) {
        append(elements.count)
        for element in elements {
            withUnsafeBytes(of: element) { bytes.append(contentsOf: $0) }
            pad(to: MemoryLayout<Element>.alignment)
        }
        pad(to: MemoryLayout<Int>.alignment)
    }

    private mutating func append(_ number: Int) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }

    private mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    /// The arrays of an image that is part of the program, in the order in which they were added.
    package struct Reader {
        private var place: UnsafeRawPointer

        /// Begins to read an image; nil where it was made of another text than the one with so many bytes.
        package init?(_ start: UnsafeRawPointer, ofText size: Int) {
            guard start.load(as: Int.self) == size else { return nil }
            place = start + MemoryLayout<Int>.stride
        }

        /// Returns the next array.
        package mutating func next<Element: BitwiseCopyable>(
            _ element: Element.Type = Element.self
        ) -> UnsafeBufferPointer<Element> {
            let place = nextPlace(of: element)
            return UnsafeBufferPointer(start: place.start, count: place.count)
        }

        /// Returns where the next array begins, which an empty one does as well, and how many elements it has.
        mutating func nextPlace<Element: BitwiseCopyable>(
            of element: Element.Type
        ) -> (start: UnsafePointer<Element>, count: Int) {
            let count = place.load(as: Int.self)
            let start = (place + MemoryLayout<Int>.stride).assumingMemoryBound(to: Element.self)
            place = UnsafeRawPointer(start + count).alignedUp(for: Int.self)
            return (start, count)
        }
    }
}

/// The images that are part of the programs that ask for them: they are larger than the texts.
package enum TableImages {
    private nonisolated(unsafe) static let types = Atomic<UnsafeRawPointer?>(nil)
    private nonisolated(unsafe) static let formats = Atomic<UnsafeRawPointer?>(nil)

    /// Lets this program use the images; to be called before anything is identified.
    package static func use() {
        types.store(UnsafeRawPointer(inbox_types_image()), ordering: .releasing)
        formats.store(UnsafeRawPointer(inbox_formats_image()), ordering: .releasing)
    }

    /// The image of the tables of types; nil where this program uses none.
    static var ofTypes: UnsafeRawPointer? { types.load(ordering: .acquiring) }

    /// The image of the tables of formats; nil where this program uses none.
    package static var ofFormats: UnsafeRawPointer? { formats.load(ordering: .acquiring) }
}

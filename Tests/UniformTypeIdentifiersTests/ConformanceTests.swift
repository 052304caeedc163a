import Testing
import UniformTypeIdentifiers

@Suite("Conformance")
struct ConformanceTests {
    @Test("Conforming is reflexive, being a sub- or supertype is not")
    func reflexive() {
        #expect(UTType.jpeg.conforms(to: .jpeg))
        #expect(!UTType.jpeg.isSubtype(of: .jpeg))
        #expect(!UTType.jpeg.isSupertype(of: .jpeg))
        #expect(UTType.jpeg.isSubtype(of: .image))
        #expect(UTType.image.isSupertype(of: .jpeg))
        #expect(!UTType.image.conforms(to: .jpeg))
    }

    @Test("The matrix agrees with walking the declared supertypes, for every pair of constants")
    func everyPair() {
        for (_, type) in constants {
            var reached: Set<UTType> = [type]
            var front = [type]
            while let next = front.popLast() {
                front += next.directSupertypes.filter { reached.insert($0).inserted }
            }
            for (name, other) in constants {
                #expect(type.conforms(to: other) == reached.contains(other), "\(type) to \(name)")
            }
            #expect(type.supertypes == reached.subtracting([type]))
        }
    }

    @Test("Every supertype is listed once, after all that conform to it, then by steps, then as declared")
    func list() {
        #expect(UTType.jpeg.conformanceList == [.image, .data, .content, .item])
        #expect(UTType.item.conformanceList.isEmpty)
        #expect(
            UTType.svg.conformanceList.map(\.identifier) == [
                "public.xml", "public.image", "public.text", "public.data", "public.content", "public.item",
            ])
        for type in UTType.item.subtypes {
            let list = type.conformanceList
            #expect(Set(list).count == list.count)
            #expect(Set(list) == type.supertypes)
            for (index, supertype) in list.enumerated() {
                #expect(
                    !list[..<index].contains { supertype.isSubtype(of: $0) }, "\(type): \(supertype) comes too late")
            }
        }
    }

    @Test("Descending gives every declared type that conforms, and all their extensions")
    func descending() {
        let images = UTType.image.subtypes
        #expect(images.contains(.jpeg) && images.contains(.dng) && !images.contains(.image))
        #expect(images.allSatisfy { $0.conforms(to: .image) })
        #expect(UTType.jpeg.subtypes.isEmpty)
        let extensions = UTType.image.filenameExtensionsOfSubtypes
        #expect(Set(extensions).isSuperset(of: ["jpeg", "jpg", "png", "dng", "svgz"]))
        #expect(Set(extensions).count == extensions.count)
        #expect(UTType.jpeg.filenameExtensionsOfSubtypes == ["jpeg", "jpe", "jpg"])
        #expect(UTType(exportedAs: "com.example.nothing").subtypes.isEmpty)
    }

    @Test("Types that are not declared conform through their parents, in a chain")
    func undeclared() {
        let parent = UTType(exportedAs: "com.example.parent", conformingTo: .image)
        let child = UTType(exportedAs: "com.example.child", conformingTo: parent)
        #expect(child.conforms(to: parent) && child.conforms(to: .image) && child.conforms(to: .item))
        #expect(!parent.conforms(to: child))
        #expect(child.conformanceList == [parent, .image, .data, .content, .item])
        #expect(!UTType.jpeg.conforms(to: parent))
        let dynamic = UTType(filenameExtension: "xlv", conformingTo: child)
        #expect(dynamic?.conforms(to: parent) == true)
    }
}

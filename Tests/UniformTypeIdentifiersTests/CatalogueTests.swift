import CUniformTypeData
import InboxTestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("The built-in declarations")
struct CatalogueTests {
    @Test("Every listed extension gives the type and the preferred extension that macOS gives")
    func extensions() throws {
        let expected = try expectedAnswers("extensions")
        #expect(expected.count == 762)
        for row in expected {
            let type = try #require(UTType(filenameExtension: row[0]))
            #expect(type.identifier == row[1], "of .\(row[0])")
            #expect(type.preferredFilenameExtension == row[2], "of .\(row[0])")
        }
    }

    @Test("Every listed identifier conforms to exactly the types that macOS lists")
    func conformance() throws {
        let expected = try expectedAnswers("conformance")
        #expect(expected.count == 479)
        for row in expected {
            let type = try #require(UTType(row[0]))
            let names = Set(row[1].split(separator: " ").map(String.init))
            #expect(Set(type.supertypes.map(\.identifier)) == names, "of \(row[0])")
        }
    }

    @Test("Every extension of a package gives the package's type among packages")
    func packages() throws {
        let expected = try expectedAnswers("packages")
        #expect(expected.count == 75)
        for row in expected {
            #expect(UTType(filenameExtension: row[0], conformingTo: .package)?.identifier == row[1], "of .\(row[0])")
        }
    }

    @Test(
        "A folder that is one document of a program is a package, whoever declared it",
        arguments: """
            scriv gdb utm vmwarevm pvm macvm hdd textbundle logicx logic band concert photoslibrary fcpbundle fcpxmld \
            rcproject sparsebundle xcodeproj xcworkspace xcassets xcdatamodeld playground playgroundbook swiftpm app rtfd \
            pages numbers key graffle oo3 ooutline ofocus dtbase2 eflibrary lrdata lrlibrary cocatalog pxd screenflow \
            cmproj mindnode ulbackup abbu dvdmedia epub ibooks aplibrary migratedphotolibrary imovielibrary theater \
            ufo glyphspackage mellel zarr lv2 tmbundle
            """.split(separator: " ").map(String.init))
    func bundles(tag: String) throws {
        let type = try #require(UTType(filenameExtension: tag, conformingTo: .package))
        #expect(type.isDeclared && type.conforms(to: .package))
        // A file of that name is none.
        #expect(try !#require(UTType(filenameExtension: tag)).conforms(to: .package))
    }

    @Test(
        "Types that routing by kind needs conform to their kind",
        arguments: [
            ("com.microsoft.word.doc", "public.composite-content"), ("com.microsoft.word.dot", "public.content"),
            ("org.oasis-open.opendocument.presentation", "public.presentation"), ("public.font", "public.data"),
            ("com.microsoft.excel.sheet.binary.macroenabled", "public.spreadsheet"),
            ("org.openxmlformats.wordprocessingml.document", "public.composite-content"),
            ("org.openxmlformats.wordprocessingml.template", "public.content"),
            ("org.openxmlformats.wordprocessingml.document.macroenabled", "public.composite-content"),
            ("org.openxmlformats.wordprocessingml.template.macroenabled", "public.content"),
            ("com.lizardtech.djvu", "public.image"), ("org.chromium.extension", "public.archive"),
            ("com.apple.itunes.ipa", "public.archive"),
        ])
    func kinds(identifier: String, kind: String) throws {
        #expect(try #require(UTType(identifier)).conforms(to: try #require(UTType(kind))))
    }

    @Test(
        "The extensions of links, profiles, passes and models have the types that macOS declares",
        arguments: [
            ("inetloc", "com.apple.generic-internet-location"), ("fileloc", "com.apple.file-internet-location"),
            ("mailloc", "com.apple.mail-internet-location"), ("ftploc", "com.apple.ftp-internet-location"),
            ("afploc", "com.apple.afp-internet-location"), ("vncloc", "com.apple.vnc-internet-location"),
            ("newsloc", "com.apple.news-internet-location"), ("textClipping", "com.apple.finder.textclipping"),
            ("savedSearch", "com.apple.finder.smart-folder"), ("mobileprovision", "com.apple.mobileprovision"),
            ("provisionprofile", "com.apple.provisionprofile"), ("configprofile", "com.apple.configprofile"),
            ("pkpasses", "com.apple.pkpasses-data"), ("mlmodel", "com.apple.coreml.model"),
            ("aupreset", "com.apple.audio-unit-preset"),
        ])
    func linksAndProfiles(tag: String, identifier: String) {
        #expect(UTType(filenameExtension: tag)?.identifier == identifier)
    }

    @Test("Every constant of Apple's framework is there under its name and identifier")
    func constantNames() throws {
        let expected = try expectedAnswers("constants")
        #expect(expected.map { $0[0] } == constants.map(\.name))
        for (row, constant) in zip(expected, constants) {
            #expect(constant.type.identifier == row[1])
            #expect(UTType(row[1]) == constant.type)
        }
    }

    @Test("Every MIME type of a constant finds it among the types that have it")
    func mimeTypes() throws {
        for (name, type) in constants {
            for mimeType in type.tags[.mimeType] ?? [] {
                let found = UTType.types(tag: mimeType, tagClass: .mimeType, conformingTo: nil)
                #expect(found.contains(type), "\(name): \(mimeType)")
            }
        }
    }

    @Test("The declarations hold what splitting every line of their text at its blanks finds")
    func plainReading() throws {
        let entries = declarationLines().filter { !$0.isEmpty && !$0.hasPrefix("#") }
        let types = UTType.allBuiltIn
        #expect(entries.count == types.count)
        for (entry, type) in zip(entries, types) {
            let halves = entry.split(separator: "\"", maxSplits: 1)
            let words = halves[0].split(separator: " ").filter { $0 != "<" }.map(String.init)
            let tags = words.dropFirst().filter { $0.hasPrefix(".") }.map { String($0.dropFirst()) }
            let mimeTypes = words.dropFirst().filter { $0.contains("/") }
            let parents = words.dropFirst().filter { !$0.hasPrefix(".") && !$0.contains("/") }
            #expect(type.identifier == words[0])
            #expect(type.tags[.filenameExtension, default: []] == tags, "of \(words[0])")
            #expect(type.tags[.mimeType, default: []] == mimeTypes, "of \(words[0])")
            #expect(type.directSupertypes.map(\.identifier) == parents, "of \(words[0])")
            #expect(type.localizedDescription == halves[1].dropLast().description, "of \(words[0])")
        }
    }

    private func declarationLines() -> [Substring] {
        let text = UnsafeBufferPointer(
            start: inbox_uniform_type_declarations(), count: inbox_uniform_type_declarations_size())
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
    }

    @Test("A dynamic type's supertypes come in the order of the type it is under, which is first itself")
    func supertypesOfDynamicTypes() throws {
        for type in UTType.allBuiltIn {
            let dynamic = try #require(UTType(tag: "qq-none", tagClass: .filenameExtension, conformingTo: type))
            #expect(dynamic.isDynamic)
            #expect(dynamic.conformanceList == [type] + type.conformanceList, "under \(type)")
        }
    }

    @Test("A name is found in any mixture of capitals, and no other character is taken for a letter")
    func anyCase() throws {
        var random = SeededRandom(seed: 15)
        for type in UTType.allBuiltIn {
            let letters = Array(type.identifier.utf8)
            let mixed = letters.map { $0 >= 0x61 && $0 <= 0x7A && Bool.random(using: &random) ? $0 - 0x20 : $0 }
            #expect(UTType(String(decoding: mixed, as: UTF8.self)) == type)
            let place = Int.random(in: letters.indices, using: &random)
            var other = letters
            // One that differs in the bit that small letters have: `.` and SO, `-` and CR, digits and controls.
            guard letters[place] < 0x40 else { continue }
            other[place] ^= 0x20
            #expect(UTType(String(decoding: other, as: UTF8.self)) == nil)
        }
    }
}

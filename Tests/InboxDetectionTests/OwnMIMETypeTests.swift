import Glibc
import InboxLinux
import InboxTestSupport
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// An extension's type and its MIME type mean the same format, whichever list has the extension.
@Suite("A type and its MIME type")
struct OwnMIMETypeTests {
    @Test("The MIME type of an extension belongs to its type", arguments: [true, false])
    func ownMIMETypes(isInstalled: Bool) throws {
        let standard = MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil)
        let detector = Detector(places: isInstalled ? standard : .none)
        let declared = try declaredExtensions()
        for tag in Set(declared).union(DatabaseTests.plainExtensions().keys) {
            let found = detector.detect(named: try #require(FileName("x." + tag)))
            guard let mime = found.mime, let owner = UTType(mimeType: mime), !owner.isDynamic else { continue }
            let isOwn = found.type.tags[.mimeType]?.contains(mime.lowercased()) ?? false
            #expect(isOwn || found.type.conforms(to: owner), "\(tag): \(found.type) \(mime), which is of \(owner)")
        }
    }

    @Test(
        "Where the database gives an extension to another world, the type's own MIME type is reported",
        .enabled(if: access("/usr/share/mime/globs2", R_OK) == 0, "shared-mime-info is not installed"),
        arguments: [
            ("ts", "video/mp2t"), ("spx", "application/x-apple-systemprofiler+xml"), ("f4a", "video/x-f4v"),
            ("dart", "application/x-apple-diskimage"), ("dot", "application/msword-template"),
            ("dll", "application/vnd.microsoft.portable-executable"), ("bat", "application/x-bat"),
            ("cmd", "application/x-bat"), ("m4a", "audio/x-m4a"), ("heic", "image/heic"), ("vcs", "text/x-vcalendar"),
            ("wax", "audio/x-ms-wax"), ("opus", "audio/x-opus+ogg"), ("step", "model/step"), ("ifc", "model/step"),
            ("apng", "image/apng"), ("pot", "application/vnd.ms-powerpoint"), ("m2ts", "video/vnd.avchd"),
            ("pkg", "application/vnd.apple.installer+xml"), ("tb2", "application/x-bzip"),
            ("cdr", "application/x-apple-diskimage"), ("psb", "application/x-photoshop-large"),
            ("otc", "font/collection"), ("service", "text/x-systemd-unit"), ("vhd", "application/x-vhd-disk"),
            ("ui", "application/x-gtk-builder"), ("3ds", "image/x-3ds"), ("gpg", "application/pgp-encrypted"),
        ])
    func otherWorlds(tag: String, mime: String) throws {
        let detector = Detector(places: MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil))
        let name = try #require(FileName("x." + tag))
        #expect(detector.detect(named: name).mime == mime)
        #expect(detector.type(fileExtension: tag)?.mime == mime)
    }

    @Test("A type has one MIME type, whether it is asked for by its name or by that", arguments: [true, false])
    func oneMIMEType(isInstalled: Bool) throws {
        let standard = MIMEDatabasePlaces(home: nil, dataHome: nil, dataDirs: nil)
        let detector = Detector(places: isInstalled ? standard : .none)
        for type in UTType.allBuiltIn {
            guard let preferred = type.preferredMIMEType, let found = detector.type(mime: preferred),
                found.type == type
            else { continue }
            #expect(detector.mime(of: type) == found.mime, "\(type)")
        }
    }

    /// The extensions of the table of expected answers of the types themselves.
    private func declaredExtensions(file: String = #filePath) throws -> [String] {
        let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
        let table = try #require(readFile("/\(tests)/UniformTypeIdentifiersTests/Expected/extensions.tsv"))
        return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: "\t").first.map(String.init) }
    }
}

import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// What is routed by its kind, with the built-in knowledge alone and with this machine's database beside it.
@Suite("The kinds of extensions")
struct KindTests {
    private let detectors = [Detector(places: .none), Detector(places: .standard)]

    @Test(
        "The type of an extension conforms to the kind that its files are of, and to data",
        arguments: [
            ("public.content", "doc dot docx dotx docm dotm"),
            ("public.composite-content", "doc dot docx dotx docm dotm"),
            ("public.presentation", "odp"), ("public.spreadsheet", "xlsb"),
            ("public.font", "ttf otf ttc woff woff2 pfb bdf pcf dfont"),
            ("public.archive", "zst lz4 lz lzo tar.zst tar.lz4 tar.lz tar.lzo ar ace"),
            ("public.archive", "crx ipa nupkg ear wim snap flatpak"), ("public.image", "djvu ora kra"),
            ("public.3d-content", "3mf iges igs wrl mtl x3d step stp fbx dwf"),
            ("public.source-code", "go rs kt scala hs erl ex clj ml lua"),
        ])
    func kinds(identifier: String, extensions: String) throws {
        let kind = try #require(UTType(identifier))
        for detector in detectors {
            for tag in extensions.split(separator: " ") {
                let name = try #require(FileName("a." + tag))
                let types = [detector.detect(named: name).type, detector.type(fileExtension: String(tag))?.type]
                for type in types {
                    #expect(type?.conforms(to: kind) == true, ".\(tag) is \(type?.identifier ?? "-")")
                    #expect(type?.conforms(to: .data) == true, ".\(tag) is \(type?.identifier ?? "-")")
                }
            }
        }
    }
}

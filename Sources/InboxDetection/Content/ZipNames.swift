/// The format of a zip archive by the names of its entries.
struct ZipNames {
    private enum Mark: Int {
        case contentTypes, relations, word, excel, excelBinary, powerPoint, visio, model, fixedPages, macros, theme
        case manifest, android, dex, webInfo, enterprise, mozilla, chrome, pass, payload
        case iwork, pagesXML, numbersXML, keynoteXML, slide, tables, epub, kml, fictionBook, usd, ofd, sketch
        case nuspec, pages, printed, manifestXML, description, publication, score
    }

    private var marks: UInt64 = 0
    private var count = 0

    private mutating func set(_ mark: Mark) { marks |= 1 << UInt64(mark.rawValue) }

    private func has(_ mark: Mark) -> Bool { marks & (1 << UInt64(mark.rawValue)) != 0 }

    var isOpenPackaging: Bool { has(.contentTypes) }

    var hasFixedPages: Bool { has(.fixedPages) }

    /// No entry is a part of a document of Office, OpenDocument, EPUB or iWork. A list of parts alone is none.
    var hasNoDocument: Bool {
        marks & Self.documents == 0
    }

    private static let documents = [
        Mark.word, .excel, .excelBinary, .powerPoint, .visio, .fixedPages, .iwork,
        .manifestXML, .pagesXML, .numbersXML, .keynoteXML,
    ].reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }

    /// Records the kind of an iWork document's main part.
    mutating func setMainPart(_ isPages: Bool) { set(isPages ? .pages : .tables) }

    /// Adds the name of an entry, in the archive's order; `isStored` where its data are not packed.
    mutating func add(_ path: Bytes, isStored: Bool) {
        count += 1
        // A package that was written as a stream has its parts in pieces: `name/[0].piece`, `name/[1].last.piece`.
        let name = path.ends(with: ".piece") ? path[0..<(path.find("/[") ?? path.count)] : path
        switch name[0] {
        case UInt8(ascii: "["): if name.has("[Content_Types].xml") { set(.contentTypes) }
        case UInt8(ascii: "_"): if name.has("_rels/") { set(.relations) }
        case UInt8(ascii: "w"), UInt8(ascii: "x"), UInt8(ascii: "p"), UInt8(ascii: "v"): addLower(name)
        case UInt8(ascii: "M"), UInt8(ascii: "A"), UInt8(ascii: "I"), UInt8(ascii: "W"), UInt8(ascii: "P"),
            UInt8(ascii: "D"), UInt8(ascii: "F"), UInt8(ascii: "O"):
            addUpper(name)
        default: addOther(name)
        }
        if name.ends(with: "vbaProject.bin") { set(.macros) }
        if name.ends(with: ".fb2") { set(.fictionBook) }
        if name.ends(with: ".kml"), name.index(of: UInt8(ascii: "/")) == nil { set(.kml) }
        // A scene is read where it lies: none of its parts is packed.
        if count == 1, isStored, Self.isScene(name) { set(.usd) }
        if name.ends(with: ".fdseq") { set(.fixedPages) }
        if name.ends(with: ".opf") { set(.publication) }
        if name.ends(with: ".musicxml") || name.ends(with: ".xml") && name.index(of: UInt8(ascii: "/")) == nil {
            set(.score)
        }
    }

    private static func isScene(_ name: Bytes) -> Bool {
        name.ends(with: ".usdc") || name.ends(with: ".usda") || name.ends(with: ".usd")
    }

    private mutating func addLower(_ name: Bytes) {
        if name.has("word/") { set(.word) }
        if name.has("xl/") { set(name.ends(with: "workbook.bin") ? .excelBinary : .excel) }
        if name.has("ppt/") { set(.powerPoint) }
        if name.has("visio/") { set(.visio) }
        if name.equals("pass.json") { set(.pass) }
    }

    private mutating func addUpper(_ name: Bytes) {
        if name.equals("META-INF/MANIFEST.MF") { set(.manifest) }
        if name.equals("META-INF/container.xml") { set(.epub) }
        if name.equals("META-INF/application.xml") { set(.enterprise) }
        if name.equals("META-INF/mozilla.rsa") || name.equals("META-INF/manifest.mf") { set(.mozilla) }
        if name.equals("AndroidManifest.xml") { set(.android) }
        if name.has("WEB-INF/") { set(.webInfo) }
        if name.has("Payload/"), name.contains(".app/") { set(.payload) }
        if name.has("FixedDocSeq.fdseq") { set(.fixedPages) }
        if name.equals("OFD.xml") { set(.ofd) }
        if name.has("Index/") && name.ends(with: ".iwa") || name.equals("Index.zip") { set(.iwork) }
        if name.has("Index/Slide") || name.has("Index/MasterSlide") || name.has("Index/TemplateSlide") { set(.slide) }
        if name.equals("META-INF/manifest.xml") { set(.manifestXML) }
        if name.has("Documents/"), name.ends(with: ".fdoc") || name.ends(with: ".fpage") { set(.fixedPages) }
    }

    private mutating func addOther(_ name: Bytes) {
        if name.equals("classes.dex") { set(.dex) }
        if name.equals("install.rdf") { set(.mozilla) }
        if name.equals("manifest.json") { set(.chrome) }
        if name.equals("index.xml") { set(.pagesXML) }
        if name.equals("index.numbers") { set(.numbersXML) }
        if name.equals("index.apxl") { set(.keynoteXML) }
        if name.equals("3D/3dmodel.model") { set(.printed) }
        if name.equals("description.xml") { set(.description) }
        if name.has("3D/") || name.ends(with: ".model") { set(.model) }
        if name.has("theme/theme/") { set(.theme) }
        if name.ends(with: ".nuspec") { set(.nuspec) }
    }

    /// A format that the head alone settles, without the directory.
    var conclusive: String? {
        if has(.android) && (has(.manifest) || has(.dex)) { return "application/vnd.android.package-archive" }
        if has(.ofd) { return "application/ofd" }
        return nil
    }

    /// The format by the names alone.
    var mime: String? {
        if let office { return office }
        if has(.android) || has(.dex) { return "application/vnd.android.package-archive" }
        if has(.mozilla) { return "application/x-xpinstall" }
        if has(.payload) { return "application/x-itunes-ipa" }
        if has(.epub) && has(.publication) { return "application/epub+zip" }
        // Compressed MusicXML has the same list of its parts as a book.
        if has(.epub) && has(.score) && count <= 3 { return "application/vnd.recordare.musicxml" }
        if has(.enterprise) { return "application/x-java-ear" }
        if has(.webInfo) { return "application/x-webarchive+zip" }
        if has(.manifest) { return "application/x-java-archive" }
        if has(.pass) { return "application/vnd.apple.pkpass" }
        if has(.keynoteXML) || (has(.iwork) && has(.slide)) { return "application/vnd.apple.keynote" }
        if has(.pages) { return "application/vnd.apple.pages" }
        if has(.numbersXML) || (has(.iwork) && has(.tables)) { return "application/vnd.apple.numbers" }
        if has(.iwork) { return "application/vnd.apple.pages" }
        if has(.printed) { return "model/3mf" }
        if has(.manifestXML) && has(.description) { return "application/vnd.openofficeorg.extension" }
        if has(.kml) { return "application/vnd.google-earth.kmz" }
        if has(.usd) { return "model/vnd.usdz+zip" }
        if has(.fictionBook) && count == 1 { return "application/x-zip-compressed-fb2" }
        return nil
    }

    /// The formats of the Open Packaging Conventions.
    private var office: String? {
        guard has(.contentTypes) || has(.relations) else { return nil }
        let macros = has(.macros)
        if has(.fixedPages) { return "application/vnd.ms-xpsdocument" }
        if has(.word) {
            return macros
                ? "application/vnd.ms-word.document.macroEnabled.12"
                : "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        }
        if has(.excelBinary) { return "application/vnd.ms-excel.sheet.binary.macroEnabled.12" }
        if has(.excel) {
            return macros
                ? "application/vnd.ms-excel.sheet.macroEnabled.12"
                : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        }
        if has(.powerPoint) {
            return macros
                ? "application/vnd.ms-powerpoint.presentation.macroEnabled.12"
                : "application/vnd.openxmlformats-officedocument.presentationml.presentation"
        }
        if has(.visio) { return "application/vnd.ms-visio.drawing.main+xml" }
        if has(.nuspec) { return "application/x-nuget" }
        if has(.theme) { return "application/vnd.ms-officetheme" }
        if has(.model) { return "model/3mf" }
        return nil
    }
}

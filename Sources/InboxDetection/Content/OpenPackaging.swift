/// The main part's content type in an Open Packaging document (ECMA-376 part 2): it distinguishes a template, a slide
/// show or a document with macros from the plain one.
enum OpenPackaging {
    /// Bytes: the part of the list that is unpacked; the main part is among the first overrides.
    private static let limit = 16 * 1024

    /// The MIME type that the list of content types names for the main part; nil where it names no known one.
    static func mime(_ content: inout Content, _ place: ZipContainer.Extent) -> String? {
        ZipParts.unpacking(&content, place, limit: limit) { mainPart($0) } ?? nil
    }

    /// Returns whether the package's relations are those of the later, open edition of XPS (ECMA-388).
    static func isOpenXPS(_ content: inout Content, _ place: ZipContainer.Extent) -> Bool {
        ZipParts.unpacking(&content, place, limit: limit) { $0.contains("openxps.org") } ?? false
    }

    private static func mainPart(_ list: Bytes) -> String? {
        for (mark, mime) in known where list.contains(mark) { return mime }
        return nil
    }

    /// The content types of main parts, those first that contain others.
    private static let known: [(StaticString, String)] = [
        (
            "wordprocessingml.document.main+xml",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        ),
        (
            "wordprocessingml.template.main+xml",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.template"
        ),
        ("ms-word.document.macroEnabled.main+xml", "application/vnd.ms-word.document.macroEnabled.12"),
        ("ms-word.template.macroEnabledTemplate.main+xml", "application/vnd.ms-word.template.macroEnabled.12"),
        ("spreadsheetml.sheet.main+xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("spreadsheetml.template.main+xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.template"),
        ("ms-excel.sheet.macroEnabled.main+xml", "application/vnd.ms-excel.sheet.macroEnabled.12"),
        ("ms-excel.template.macroEnabled.main+xml", "application/vnd.ms-excel.template.macroEnabled.12"),
        ("ms-excel.addin.macroEnabled.main+xml", "application/vnd.ms-excel.addin.macroEnabled.12"),
        ("ms-excel.sheet.binary.macroEnabled.main", "application/vnd.ms-excel.sheet.binary.macroEnabled.12"),
        (
            "presentationml.presentation.main+xml",
            "application/vnd.openxmlformats-officedocument.presentationml.presentation"
        ),
        ("presentationml.slideshow.main+xml", "application/vnd.openxmlformats-officedocument.presentationml.slideshow"),
        ("presentationml.template.main+xml", "application/vnd.openxmlformats-officedocument.presentationml.template"),
        (
            "ms-powerpoint.presentation.macroEnabled.main+xml",
            "application/vnd.ms-powerpoint.presentation.macroEnabled.12"
        ),
        ("ms-powerpoint.slideshow.macroEnabled.main+xml", "application/vnd.ms-powerpoint.slideshow.macroEnabled.12"),
        ("ms-powerpoint.template.macroEnabled.main+xml", "application/vnd.ms-powerpoint.template.macroEnabled.12"),
        ("ms-powerpoint.addin.macroEnabled.main+xml", "application/vnd.ms-powerpoint.addin.macroEnabled.12"),
        ("ms-visio.drawing.main+xml", "application/vnd.ms-visio.drawing.main+xml"),
        ("ms-visio.template.main+xml", "application/vnd.ms-visio.template.main+xml"),
        ("ms-visio.stencil.main+xml", "application/vnd.ms-visio.stencil.main+xml"),
        ("ms-visio.drawing.macroEnabled.main+xml", "application/vnd.ms-visio.drawing.macroEnabled.main+xml"),
        ("ms-visio.template.macroEnabled.main+xml", "application/vnd.ms-visio.template.macroEnabled.main+xml"),
        ("ms-visio.stencil.macroEnabled.main+xml", "application/vnd.ms-visio.stencil.macroEnabled.main+xml"),
        ("3dmanufacturing-3dmodel+xml", "model/3mf"),
        ("ms-package.xps-fixeddocumentsequence+xml", "application/vnd.ms-xpsdocument"),
        ("ms-package.3dmanufacturing", "model/3mf"),
    ]
}

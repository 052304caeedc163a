// Every constant of Apple's framework: roots, text, source code.

extension UTType {
    /// `public.item`: item.
    public static let item = builtIn("public.item")

    /// `public.content`: content.
    public static let content = builtIn("public.content")

    /// `public.data`: data.
    public static let data = builtIn("public.data")

    /// `public.directory`: directory.
    public static let directory = builtIn("public.directory")

    /// `public.url`: URL.
    public static let url = builtIn("public.url")

    /// `public.file-url`: file URL.
    public static let fileURL = builtIn("public.file-url")

    /// `public.text`: text.
    public static let text = builtIn("public.text")

    /// `public.plain-text`: plain text.
    public static let plainText = builtIn("public.plain-text")

    /// `public.utf8-plain-text`: UTF-8 text.
    public static let utf8PlainText = builtIn("public.utf8-plain-text")

    /// `com.adobe.pdf`: PDF document.
    public static let pdf = builtIn("com.adobe.pdf")

    /// `public.image`: image.
    public static let image = builtIn("public.image")

    /// `public.composite-content`: compound content.
    public static let compositeContent = builtIn("public.composite-content")

    /// `public.disk-image`: disk image.
    public static let diskImage = builtIn("public.disk-image")

    /// `com.apple.resolvable`: link to another item.
    public static let resolvable = builtIn("com.apple.resolvable")

    /// `public.symlink`: symbolic link.
    public static let symbolicLink = builtIn("public.symlink")

    /// `public.executable`: executable item.
    public static let executable = builtIn("public.executable")

    /// `com.apple.mount-point`: mount point.
    public static let mountPoint = builtIn("com.apple.mount-point")

    /// `com.apple.alias-file`: alias.
    public static let aliasFile = builtIn("com.apple.alias-file")

    /// `com.apple.bookmark`: stored reference to an item.
    public static let urlBookmarkData = builtIn("com.apple.bookmark")

    /// `public.utf16-external-plain-text`: UTF-16 text for exchange.
    public static let utf16ExternalPlainText = builtIn("public.utf16-external-plain-text")

    /// `public.utf16-plain-text`: UTF-16 text.
    public static let utf16PlainText = builtIn("public.utf16-plain-text")

    /// `public.delimited-values-text`: delimited values.
    public static let delimitedText = builtIn("public.delimited-values-text")

    /// `public.comma-separated-values-text`: comma-separated values.
    public static let commaSeparatedText = builtIn("public.comma-separated-values-text")

    /// `public.tab-separated-values-text`: tab-separated values.
    public static let tabSeparatedText = builtIn("public.tab-separated-values-text")

    /// `public.utf8-tab-separated-values-text`: tab-separated values in UTF-8.
    public static let utf8TabSeparatedText = builtIn("public.utf8-tab-separated-values-text")

    /// `public.rtf`: rich text.
    public static let rtf = builtIn("public.rtf")

    /// `public.html`: HTML page.
    public static let html = builtIn("public.html")

    /// `public.xml`: XML document.
    public static let xml = builtIn("public.xml")

    /// `public.yaml`: YAML document.
    public static let yaml = builtIn("public.yaml")

    /// `public.css`: style sheet.
    public static let css = builtIn("public.css")

    /// `public.source-code`: source code.
    public static let sourceCode = builtIn("public.source-code")

    /// `public.assembly-source`: assembly source.
    public static let assemblyLanguageSource = builtIn("public.assembly-source")

    /// `public.c-source`: C source.
    public static let cSource = builtIn("public.c-source")

    /// `public.objective-c-source`: Objective-C source.
    public static let objectiveCSource = builtIn("public.objective-c-source")

    /// `public.swift-source`: Swift source.
    public static let swiftSource = builtIn("public.swift-source")

    /// `public.c-plus-plus-source`: C++ source.
    public static let cPlusPlusSource = builtIn("public.c-plus-plus-source")

    /// `public.objective-c-plus-plus-source`: Objective-C++ source.
    public static let objectiveCPlusPlusSource = builtIn("public.objective-c-plus-plus-source")

    /// `public.c-header`: C header.
    public static let cHeader = builtIn("public.c-header")

    /// `public.c-plus-plus-header`: C++ header.
    public static let cPlusPlusHeader = builtIn("public.c-plus-plus-header")

    /// `public.script`: script.
    public static let script = builtIn("public.script")

    /// `com.apple.applescript.text`: AppleScript source.
    public static let appleScript = builtIn("com.apple.applescript.text")

    /// `com.apple.applescript.script`: compiled script.
    public static let osaScript = builtIn("com.apple.applescript.script")

    /// `com.apple.applescript.script-bundle`: script bundle.
    public static let osaScriptBundle = builtIn("com.apple.applescript.script-bundle")

    /// `com.netscape.javascript-source`: JavaScript source.
    public static let javaScript = builtIn("com.netscape.javascript-source")

    /// `public.shell-script`: shell script.
    public static let shellScript = builtIn("public.shell-script")

    /// `public.perl-script`: Perl script.
    public static let perlScript = builtIn("public.perl-script")

    /// `public.python-script`: Python script.
    public static let pythonScript = builtIn("public.python-script")

    /// `public.ruby-script`: Ruby script.
    public static let rubyScript = builtIn("public.ruby-script")

    /// `public.php-script`: PHP script.
    public static let phpScript = builtIn("public.php-script")

    /// `public.make-source`: makefile.
    public static let makefile = builtIn("public.make-source")

    /// `public.json`: JSON document.
    public static let json = builtIn("public.json")

    /// A built-in type by its identifier.
    static func builtIn(_ identifier: StaticString) -> UTType {
        let bytes = UnsafeBufferPointer(start: identifier.utf8Start, count: identifier.utf8CodeUnitCount)
        let row = Catalogue.builtIn.row(identifier: bytes)
        // Each constant's identifier is in the embedded text; a test goes through all of them.
        assert(row != nil, "\(identifier) is not built in")
        return UTType(catalogue: .builtIn, row: row ?? 0)
    }
}

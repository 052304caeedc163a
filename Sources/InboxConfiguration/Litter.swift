import InboxLinux

/// Files that programs which show folders leave in them, and make anew where they are missing.
package enum Litter {
    private static let names = Set(
        [
            ".ds_store", "thumbs.db", "thumbs.db:encryptable", "ehthumbs.db", "desktop.ini", ".directory", ".localized",
            "icon\r", ".nomedia", ".apdisk", ".picasa.ini",
        ].map { Array($0.utf8) })

    /// Returns whether a name is that of litter.
    package static func contains(_ name: FileName) -> Bool {
        let bytes = name.bytes.map(Glob.lowered)
        return bytes.starts(with: "._".utf8) || names.contains(bytes)
            || bytes.suffix(16).elementsEqual(":zone.identifier".utf8)
    }
}

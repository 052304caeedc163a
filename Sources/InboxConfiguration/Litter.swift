import InboxLinux

/// Files and folders that programs which show folders leave in them, and make anew where they are missing.
package enum Litter {
    private static let names = Set(
        [
            ".ds_store", "thumbs.db", "thumbs.db:encryptable", "ehthumbs.db", "desktop.ini", ".directory", ".localized",
            "icon\r", ".nomedia", ".apdisk", ".picasa.ini",
        ].map { Array($0.utf8) })

    /// The previews and attributes of Synology and netatalk, and previews of phones.
    private static let folders = Set(["@eadir", ".appledouble", ".thumbnails"].map { Array($0.utf8) })
    private static let macFolder = FileName("__MACOSX").unsafelyUnwrapped

    /// Returns whether a name is that of a folder of litter.
    package static func containsFolder(_ name: FileName) -> Bool { folders.contains(name.bytes.map(Glob.lowered)) }

    /// Returns whether a folder, given by its path, is one in which archives made by macOS have litter beside their contents.
    package static func isMacFolder(_ path: some Sequence<FileName>) -> Bool { path.contains(macFolder) }

    /// Returns whether a name is that of a file of litter.
    package static func contains(_ name: FileName) -> Bool {
        let bytes = name.bytes.map(Glob.lowered)
        return bytes.starts(with: "._".utf8) || names.contains(bytes)
            || bytes.suffix(16).elementsEqual(":zone.identifier".utf8)
    }
}

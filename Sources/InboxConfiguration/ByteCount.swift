/// Sizes for a person.
package enum ByteCount {
    /// Returns a size in words: `61.2 MB` of 1024 KB each, as the configuration counts them.
    package static func text(_ size: UInt64) -> String {
        var unit: UInt64 = 1
        var names = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"][...]
        while size / unit >= 1024, names.count > 1 {
            unit *= 1024
            names.removeFirst()
        }
        let name = names.first ?? ""
        if unit == 1 { return "\(size) \(name)" }
        return "\(size / unit).\(size % unit / 4 * 10 / (unit / 4)) \(name)"
    }
}

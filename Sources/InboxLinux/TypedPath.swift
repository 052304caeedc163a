/// A path as a person typed it: relative, with `.` and `..`, or through symbolic links.
///
/// Only folders are resolved. The last component is what the person means, and is kept even where it is a link.
package struct TypedPath {
    /// Absolute, as far as that needs no disk: the working directory and the typed path.
    package let literal: BytePath
    /// The path with every folder resolved, as far as there is one; nil where a `..` leads out of a folder that does not
    /// exist, so that nobody knows what the path means.
    package let resolved: BytePath?

    /// - Parameters:
    ///   - typed: what was typed, not empty.
    ///   - workingDirectory: where a relative path begins.
    ///   - realPath: finds the real path of a folder.
    package init(
        _ typed: BytePath, workingDirectory: BytePath,
        realPath: (BytePath) throws(SyscallError) -> BytePath? = RealPath.ofFolder
    ) {
        let absolute = workingDirectory.appending(typed)
        literal = absolute.normalized ?? absolute
        resolved = Self.resolve(absolute, realPath)
    }

    /// The bytes that typed ones may mean, likeliest first: themselves, and where they are escaped as inboxctl prints names,
    /// those that they were made of.
    package static func readings(of typed: [UInt8]) -> [[UInt8]] {
        guard typed.contains(UInt8(ascii: "\\")), let text = String(validating: typed, as: UTF8.self),
            let plain = EscapedBytes.bytes(text), plain != typed
        else { return [typed] }
        return [typed, plain]
    }

    /// The path without its `..`, where it has one: what the kernel would find there.
    package static func withoutDots(_ path: BytePath) -> BytePath? {
        path.normalized ?? TypedPath(path, workingDirectory: BytePath("")).resolved
    }

    private static func resolve(
        _ path: BytePath, _ realPath: (BytePath) throws(SyscallError) -> BytePath?
    ) -> BytePath? {
        let slash = UInt8(ascii: "/")
        let dots = [BytePath("."), BytePath("..")]
        var folders = path.bytes.split(separator: slash).compactMap { BytePath(bytes: Array($0)) }
        var missing: [BytePath] = []
        // A slash or dots at the end mean the folder itself, wherever a link leads.
        if let last = folders.last, path.bytes.last != slash, !dots.contains(last) {
            missing = [last]
            folders.removeLast()
        }
        while true {
            let found: BytePath?
            do throws(SyscallError) {
                found = try realPath(folders.reduce(BytePath("/")) { $0.appending($1) })
            } catch {
                found = nil
            }
            if let found { return missing.reversed().reduce(found) { $0.appending($1) } }
            // A path that is gone is still a question for the daemon, which knows where its document went.
            guard let last = folders.popLast(), last != dots[1] else { return nil }
            if last != dots[0] { missing.append(last) }
        }
    }

    /// The path by the name that the daemon uses for one of its roots, where it lies in or below one. Roots may be
    /// configured through symbolic links, which the daemon does not resolve in its answers.
    ///
    /// - Parameter roots: the daemon's name of each root and the real path of it.
    package func named(by roots: [(name: BytePath, real: BytePath)]) -> BytePath? {
        guard let resolved else { return nil }
        let around = roots.filter { resolved == $0.real || resolved.isInside($0.real) }
        guard let root = around.max(by: { $0.real.bytes.count < $1.real.bytes.count }) else { return resolved }
        return resolved.names.dropFirst(root.real.names.count).reduce(root.name) { $0.appending($1) }
    }
}

import Glibc
import InboxTestSupport

/// What the people and programs of the story do to files.
extension ScenarioRunner {
    /// Whether the verb was one of these.
    func touchDisk(_ verb: String, _ arguments: [TestPath]) throws -> Bool {
        switch verb {
        case "drop":
            let words = try take(2, arguments)
            try Disk.put(words[1].bytes, at: inInbox(words[0]))
        case "file":
            let words = try take(2, arguments)
            try Disk.makeFolders(path(words[0]).parent)
            try Disk.put(words[1].bytes, at: path(words[0]))
        case "append":
            let words = try take(2, arguments)
            try Disk.append(words[1].bytes, to: path(words[0]))
        case "touch":
            try Disk.put([], at: path(take(1, arguments)[0]))
        case "truncate":
            let words = try take(2, arguments)
            let size = try number(words[1])
            try Disk.check("truncate", words[0], path(words[0]).withCString { Glibc.truncate($0, size) })
        case "open", "write", "close": try touchHeld(verb, arguments)
        case "mkdir":
            if arguments.first == "-p" {
                try Disk.makeFolders(path(take(2, arguments)[1]))
            } else {
                try Disk.makeFolder(path(take(1, arguments)[0]))
            }
        case "mv":
            let words = try take(2, arguments)
            try Disk.move(path(words[0]), to: path(words[1]))
        case "ln":
            if arguments.first == "-s" {
                let words = try take(3, arguments)
                let link = path(words[2])
                let result = words[1].withCString { target in link.withCString { symlink(target, $0) } }
                try Disk.check("symlink", link, result)
            } else {
                let words = try take(2, arguments)
                try Disk.link(path(words[0]), to: path(words[1]))
            }
        case "mkfifo":
            let fifo = try path(take(1, arguments)[0])
            try Disk.check("mkfifo", fifo, fifo.withCString { Glibc.mkfifo($0, 0o644) })
        case "mksocket":
            let node = try path(take(1, arguments)[0])
            try Disk.check("mknod", node, node.withCString { mknod($0, S_IFSOCK | 0o644, 0) })
        case "rm":
            if arguments.first == "-r" {
                try Disk.removeTree(path(take(2, arguments)[1]))
            } else {
                try Disk.remove(path(take(1, arguments)[0]))
            }
        case "chmod":
            let words = try take(2, arguments)
            guard let mode = mode_t(words[0].description, radix: 8) else { throw Failure("not a mode: \(words[0])") }
            try Disk.check("chmod", words[1], path(words[1]).withCString { Glibc.chmod($0, mode) })
        default: return false
        }
        return true
    }

    /// A writer that keeps its file open, under the name it had when it was opened.
    private func touchHeld(_ verb: String, _ arguments: [TestPath]) throws {
        let words = try take(verb == "write" ? 2 : 1, arguments)
        if verb == "open" {
            held[words[0]] = try Disk.open(path(words[0]), O_WRONLY | O_CREAT | O_APPEND)
            return
        }
        guard let descriptor = held[words[0]] else { throw Failure("\(words[0]) was not opened") }
        if verb == "write" {
            try Disk.write(words[1].bytes, to: descriptor, words[0])
        } else {
            held[words[0]] = nil
            Glibc.close(descriptor)
        }
    }

    func closeAll() {
        for descriptor in held.values { Glibc.close(descriptor) }
        held = [:]
        // What cannot be removed stays for whoever looks.
        if let other { try? Disk.removeTree(other.path) }
    }
}

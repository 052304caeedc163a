/// The subject of a system call, for the fault plan and the trace of a debug build; a release build never makes one.
enum CallSubject {
    /// Nothing that has a name.
    case nothing
    /// The file that the descriptor has open.
    case descriptor(Int32)
    /// A name in an open folder.
    case name(Int32, FileName)
    /// A name in an open folder, and the one that it gets or the second one beside it.
    case names(Int32, FileName, Int32, FileName)
    /// A path from the configuration or the environment.
    case path(BytePath)
}

#if DEBUG
    import Glibc

    extension CallSubject {
        /// For a person's eyes and a plan's filter: paths, two of them joined by ` -> `, control characters escaped.
        var text: String {
            switch self {
            case .nothing: ""
            case .descriptor(let number): EscapedBytes.printable(Self.path(of: number))
            case .name(let folder, let name): Self.text(folder, name)
            case .names(let folder, let name, let other, let second):
                "\(Self.text(folder, name)) -> \(Self.text(other, second))"
            case .path(let path): path.displayText
            }
        }

        private static func text(_ folder: Int32, _ name: FileName) -> String {
            "\(EscapedBytes.printable(path(of: folder)))/\(name)"
        }

        /// The path that the kernel reports for the descriptor's file, proc(5); this readlink never passes the choke point.
        private static func path(of descriptor: Int32) -> [UInt8] {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { target in
                guard let start = target.baseAddress else { return [] }
                let count = readlink("/proc/self/fd/\(descriptor)", start, target.count)
                return Array(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<max(0, count)]))
            }
        }
    }
#endif

import InboxDetection
import InboxLinux

/// Where a document would go if it were filed now: a look, which the kernel alone makes true.
enum PredictedPlace {
    /// The first name of its row that neither stands there nor is in `taken`, into which it is put.
    static func of(_ arrival: Arrival, _ documents: BytePath, _ taken: inout Set<BytePath>) -> BytePath? {
        let wanted = Destination.unclaimed(arrival.name, in: arrival.folder)
        let folder = wanted.folders.reduce(documents) { $0.appending(BytePath(bytes: Array($1.bytes))) }
        let row = NumberedName(wanted.name)
        var number = 0
        while let name = row.numbered(number) {
            let path = folder.appending(BytePath(bytes: Array(name.bytes)))
            if !taken.contains(path), !stands(name, in: folder) {
                taken.insert(path)
                return path
            }
            number += 1
        }
        return nil
    }

    private static func stands(_ name: FileName, in folder: BytePath) -> Bool {
        do throws(SyscallError) {
            _ = try Directory.open(path: folder.bytes).status(of: name)
            return true
        } catch {
            return false
        }
    }
}

extension Arrival {
    /// What it is, as far as it can be read now.
    func detect(with detector: Detector, in folders: OpenFolders) -> Detection {
        guard status.kind == .regular else { return detector.detect(unopened: name, status.kind) }
        do throws(SyscallError) {
            return detector.detect(name, reading: try folders.directory(folder).directory.file(name))
        } catch {
            return detector.detect(unreadable: name)
        }
    }
}

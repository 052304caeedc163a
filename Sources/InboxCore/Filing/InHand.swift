import InboxDetection
import InboxLinux

/// A document on its way: complete, typed, routed, and not yet moved.
struct InHand {
    let arrival: ArrivalID
    let folder: Folder
    let name: FileName
    let source: BytePath
    /// The open file; nil where it may not be read.
    let file: OpenFile?
    /// The open folder of a document that is one; nil for a file.
    let package: OpenFolder?
    /// What it was when it was taken in hand: what is moved must still be that.
    let status: FileStatus
    let detection: Detection
    let reached: DestinationFolders.Reached
    /// The names of the folders that lead to its destination.
    let folders: [FileName]
    let wanted: FileName
    let id: RecordID
    let proof: FiledRecord.Proof

    /// Whether its destination is certainly on another mount, which no rename leads to.
    ///
    /// Where it is not certain, the rename tells: subvolumes and overlays answer EXDEV inside one mount.
    var isAcross: Bool { status.mount != 0 && reached.mount != 0 && status.mount != reached.mount }

    /// What is written down before its name moves; its record will stand in the history behind the mark.
    func intent(since mark: History.Mark) -> Intent {
        Intent(
            id: id, source: source, status: status, destination: reached.path, name: wanted,
            filesystem: reached.filesystem, since: mark)
    }

    func record(at time: Timestamp, as name: FileName, number: Int) -> FiledRecord {
        FiledRecord(
            id: id, time: time, source: source,
            destination: reached.path.appending(BytePath(bytes: Array(name.bytes))),
            type: detection.type.identifier, mime: detection.mime, size: status.size,
            evidence: detection.evidence.rawValue, renamed: number > 0, proof: proof)
    }
}

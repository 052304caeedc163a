import Testing

@testable import InboxLinux

@Suite("Marks of filesystems")
struct FilesystemMarkTests {
    private static let uuid = "0123456789abcdef0123456789abcdef"
    private static let other = "f123456789abcdef0123456789abcdef"

    private func mark(_ identifier: String?, device: UInt64 = 1) -> FilesystemMark {
        FilesystemMark(device: device, identifier: identifier)
    }

    @Test(
        "A kernel that reports no UUID recognizes what another has remembered, and the other way round",
        arguments: [
            (uuid, uuid, true), (uuid, other, false), ("\(uuid)+ef53-1", uuid, true),
            ("\(uuid)+ef53-1", "\(other)+ef53-1", false), ("\(uuid)+ef53-1", "\(uuid)+ef53-2", true),
            ("\(uuid)+ef53-1", "ef53-1", true), ("\(uuid)+ef53-1", "ef53-2", false), (uuid, "ef53-1", false),
            ("ef53-1", "ef53-1", true), ("nfs4 server:/\(uuid)", "nfs4 server:/\(uuid)", true), ("", uuid, false),
            ("\(uuid)x", "\(uuid)x", true), ("\(uuid)x", uuid, false),
        ])
    func kernels(_ one: String, _ another: String, _ isSame: Bool) {
        #expect(mark(one).isSame(as: mark(another, device: 2)) == isSame)
        #expect(mark(another).isSame(as: mark(one, device: 2)) == isSame)
    }

    @Test("Where one has no identifier the device decides")
    func devices() {
        #expect(mark(nil).isSame(as: mark(Self.uuid)) && !mark(nil, device: 2).isSame(as: mark(Self.uuid)))
    }

    @Test("A lasting mark and a brief one of the same folder are marks of one filesystem")
    func real() throws {
        let folder = try Directory.open(path: BytePath("/"))
        let device = try folder.status().identity.file.device
        let lasting = try FilesystemMark(of: folder.descriptor, device: device, isLasting: true)
        #expect(lasting.isSame(as: try folder.filesystemMark()))
    }
}

import Testing

@testable import InboxLinux

@Suite struct FilesystemTests {
    @Test(
        "A filesystem that others can change without an event here is known by its number",
        arguments: [
            (0x6969, "NFS"), (0xFF53_4D42, "SMB"), (0x6573_5546, "FUSE"), (0x0BD0_0BD0, "Lustre"), (0x5346_414F, "AFS"),
            (0x6B41_4653, "AFS"), (0x1983_0326, "BeeGFS"), (0x4750_4653, "GPFS"), (0x2003_0528, "OrangeFS"),
            (0x786F_4256, "VirtualBox's shared folders"), (0x7C7C_6673, "Parallels' shared folders"),
            (0xBACB_ACBC, "VMware's shared folders"),
        ] as [(Int64, String)])
    func withoutEvents(_ magic: Int64, _ name: String) {
        #expect(Filesystem(magic: magic, identifier: 0).nameWithoutEvents == name)
    }

    @Test("One of this machine alone sends events", arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x4D44])
    func local(_ magic: Int64) {
        #expect(Filesystem(magic: magic, identifier: 0).nameWithoutEvents == nil)
    }

    @Test("In VirtualBox's shared folders neither owners nor inode numbers are those of the files")
    func sharedFolders() {
        let shared = Filesystem(magic: 0x786F_4256, identifier: 0)
        #expect(shared.isWithoutOwners && !shared.hasLastingInodes)
    }
}

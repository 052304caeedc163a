import InboxTestSupport

/// A disk whose power can be cut: it keeps what had reached it, and nothing of what only memory had.
struct CuttableDisk {
    /// Where it is mounted.
    let point: TestPath
    private let kind: String
    private let mounts: Mounts
    /// The disk as each trial finds it, the one of the trial, and that one at the instant of the cut.
    private let fresh: TestPath, live: TestPath, cut: TestPath

    /// A filesystem of this kind with what `fill` puts there. Its images are in `folder`.
    init(
        _ kind: String, size: String, at point: TestPath, in folder: TestPath, _ mounts: Mounts, fill: () throws -> Void
    ) throws {
        (self.kind, self.point, self.mounts) = (kind, point, mounts)
        (fresh, live, cut) = (folder / "fresh", folder / "live", folder / "cut")
        try Disk.makeFolders(folder)
        try Tool.run("truncate", "--size", TestPath(size), fresh)
        try Tool.run("mkfs.\(kind)", (kind == "ext4" ? ["-q", "-F"] : ["-q"]) + [fresh])
        let device = try attach(fresh)
        try fill()
        try detach(device)
    }

    /// Mounts a copy of the fresh disk for the trial; the device.
    func begin() throws -> TestPath {
        try copy(fresh, to: live)
        return try attach(live)
    }

    /// Cuts the power of the trial's disk and mounts the disk again, as the machine's next start does; the device.
    func cutPower(of device: TestPath) throws -> TestPath {
        try copy(live, to: cut)
        // Whatever is written out from now on reaches a disk that nobody sees again.
        try detach(device)
        return try attach(cut)
    }

    /// Takes the disk away.
    func end(_ device: TestPath) throws { try detach(device) }

    private func copy(_ image: TestPath, to other: TestPath) throws {
        try Tool.run("cp", "--sparse=always", image, other)
    }

    private func attach(_ image: TestPath) throws -> TestPath {
        let device = try mounts.attach(image)
        // As xfs and btrfs see it, the image of before is the same disk a second time.
        try mounts.mountDevice(device, kind, at: point, kind == "xfs" ? "nouuid" : "rw")
        return device
    }

    private func detach(_ device: TestPath) throws {
        try mounts.unmount(point)
        try mounts.detach(device)
    }
}

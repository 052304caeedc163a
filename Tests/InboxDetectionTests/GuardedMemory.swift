import Glibc

/// Memory that is followed by a page without any access, so that a read beyond its end kills the test.
final class GuardedMemory {
    private let start: UnsafeMutableRawPointer
    private let capacity: Int
    private let length: Int

    /// Room for so many bytes; nil where mmap(2) or mprotect(2) fails.
    init?(capacity: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        self.capacity = (capacity + page - 1) / page * page
        length = self.capacity + page
        guard let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED
        else { return nil }
        self.start = start
        guard mprotect(start + self.capacity, page, PROT_NONE) == 0 else { return nil }
    }

    deinit { munmap(start, length) }

    /// Lends a copy of the bytes whose last byte is the last one that can be read; at most `capacity` of them.
    func holding<Result>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let count = min(bytes.count, capacity)
        let copy = UnsafeMutableRawBufferPointer(start: start + (capacity - count), count: count)
        copy.copyBytes(from: bytes.prefix(count))
        return body(UnsafeRawBufferPointer(copy))
    }
}

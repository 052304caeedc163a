import Glibc

extension FileDescriptor {
    /// Writes what can be written without waiting for a reader, and returns how many bytes that was.
    ///
    /// A pipe that nobody reads, or a terminal stopped by Ctrl-S, takes nothing. The descriptor stays in blocking mode,
    /// because that mode belongs to the open file description, which the shell and other programs share: poll(2) is asked
    /// before each piece instead, and a piece is at most `PIPE_BUF`, which pipe(7) then takes as a whole.
    package func writeWithoutWaiting(_ bytes: [UInt8]) throws(SyscallError) -> Int {
        var written = 0
        while written < bytes.count, isWritable() {
            let piece = bytes[written..<min(written + Int(PIPE_BUF), bytes.count)]
            let count: Int
            do throws(SyscallError) {
                count = try systemCall(.write, .descriptor(number)) {
                    piece.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
                }
            } catch  where error.errno == .again {
                return written
            }
            guard count > 0 else { break }
            written += count
        }
        return written
    }

    /// Returns whether a write would not wait: poll(2). An error or a hang-up counts as writable, since write(2)
    /// reports it.
    private func isWritable() -> Bool {
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        var count = Glibc.poll(&entry, 1, 0)
        while count < 0, errno == EINTR { count = Glibc.poll(&entry, 1, 0) }
        return count > 0
    }
}

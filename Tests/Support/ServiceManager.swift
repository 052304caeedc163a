import Glibc

/// A datagram socket in the place of the service manager's: sd_notify(3).
package final class ServiceManager {
    /// Where it is, as `NOTIFY_SOCKET` has it.
    package let path: String
    private let descriptor: Int32

    package init() throws {
        path = "/tmp/inboxd-notify-\(getpid())-\(UInt64.random(in: .min ... .max))"
        descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw Failure("bind(2) of \(path): \(errno)") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The messages that have arrived since they were asked for last.
    package func messages() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return messages
    }
}

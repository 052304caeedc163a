import InboxLinux

/// Writes the content of a delivery, part by part.
package struct DeliveredContent: ~Copyable {
    /// Bytes: how much is copied between two reports.
    private static let part = 4 << 20
    /// Bytes: how much is read and written at once where the kernel does not copy by itself.
    private static let block = 256 << 10

    private let largest: Int64?
    private let report: (Int64) -> Bool
    private var buffer: [UInt8] = []
    private var canCopy = true

    /// - Parameters:
    ///   - largest: how many bytes it may have; nil for any number.
    ///   - report: takes how many bytes were written so far; false ends it.
    package init(largest: Int64?, report: @escaping (Int64) -> Bool) {
        self.largest = largest
        self.report = report
    }

    /// Copies a regular file from its beginning to its end, whatever its offset is; it must not change meanwhile.
    package mutating func copy(
        _ source: borrowing FileDescriptor, to target: borrowing FileDescriptor
    ) throws(DeliveryError) {
        let before = try call { () throws(SyscallError) in try source.status() }
        guard before.kind == .regular else { throw .notRegular }
        guard try call({ () throws(SyscallError) in try source.isOpenForReading() }) else { throw .notReadable }
        let size = Int64(clamping: before.size)
        try check(size)
        var offset: Int64 = 0
        if !clone(source, to: target) {
            while offset < size {
                let count = try copyPart(source, to: target, at: offset, most: min(Int64(Self.part), size - offset))
                guard count > 0 else { throw .changed }
                offset += count
                guard report(offset) else { throw .abandoned }
            }
        }
        let after = try call { () throws(SyscallError) in try source.status() }
        guard after.identity == before.identity,
            try call({ () throws(SyscallError) in try target.status().size })
                == before.size
        else { throw .changed }
    }

    /// Copies what can be read until there is no more: a pipe, a terminal, a file.
    package mutating func drain(
        _ source: borrowing FileDescriptor, to target: borrowing FileDescriptor
    ) throws(DeliveryError) {
        var offset: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: Self.block)
        while true {
            do throws(SyscallError) {
                let count = try source.read(into: &buffer)
                guard count > 0 else { return }
                try target.write(buffer[..<count], at: offset)
                offset += Int64(count)
            } catch {
                throw .failed(error)
            }
            try check(offset)
            guard report(offset) else { throw .abandoned }
        }
    }

    private func check(_ size: Int64) throws(DeliveryError) {
        if let limit = largest, size > limit { throw .tooLarge(limit) }
    }

    /// Whether the target shares the content of the source now.
    private func clone(_ source: borrowing FileDescriptor, to target: borrowing FileDescriptor) -> Bool {
        do throws(SyscallError) {
            try target.clone(source)
            return true
        } catch {
            // Most filesystems cannot: it is copied then, and what is really wrong shows there.
            return false
        }
    }

    private mutating func copyPart(
        _ source: borrowing FileDescriptor, to target: borrowing FileDescriptor, at offset: Int64, most: Int64
    ) throws(DeliveryError) -> Int64 {
        if canCopy {
            do throws(SyscallError) {
                return Int64(try target.copyRange(of: source, at: offset, count: Int(most)))
            } catch {
                guard error.errno.hasCopyFallback else { throw .failed(error) }
                canCopy = false
            }
        }
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.block) }
        do throws(SyscallError) {
            let count = min(Int64(try source.read(into: &buffer, at: offset)), most)
            try target.write(buffer[..<Int(count)], at: offset)
            return count
        } catch {
            throw .failed(error)
        }
    }

    private func call<Value>(_ body: () throws(SyscallError) -> Value) throws(DeliveryError) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .failed(error) }
    }
}

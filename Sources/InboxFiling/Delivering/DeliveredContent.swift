import InboxLinux

/// Writes the content of a delivery, part by part.
package struct DeliveredContent: ~Copyable {
    /// Bytes: how much of a stream is read and written at once.
    private static let block = 256 << 10

    private let report: (Int64) -> Bool

    /// - Parameter report: takes how many bytes were written so far; false ends it.
    package init(report: @escaping (Int64) -> Bool) {
        self.report = report
    }

    /// Copies a regular file from its beginning to its end, whatever its offset is; it must not change meanwhile, nor
    /// have more bytes than its size says. Holes stay holes.
    package func copy(_ source: OpenFile, to target: OpenFile) throws(DeliveryError) {
        let before = try call { () throws(SyscallError) in try source.descriptor.status() }
        guard before.kind == .regular else { throw .notRegular }
        guard try call({ () throws(SyscallError) in try source.descriptor.isOpenForReading() }) else {
            throw .notReadable
        }
        let size = Int64(clamping: before.size)
        let progress = CopyProgress(total: before.size)
        var isAbandoned = false
        var content = CopyContent(of: source, before, into: target, progress) { [report] () throws(CopyFailure) in
            let done = progress.done
            isAbandoned = done > 0 && !report(Int64(clamping: done))
            if isAbandoned { throw .refused(Refusal(.changed)) }
        }
        do throws(CopyFailure) { try content.run() } catch {
            switch error {
            case .refused: throw isAbandoned ? .abandoned : .changed
            case .source(let error), .copy(let error): throw .failed(error)
            }
        }
        // What proc(5) makes when it is read has no size.
        var rest: [UInt8] = [0]
        guard try call({ () throws(SyscallError) in try source.descriptor.read(into: &rest, at: size) }) == 0 else {
            throw .changed
        }
        guard report(size) else { throw .abandoned }
        let after = try call { () throws(SyscallError) in try source.descriptor.status() }
        guard after.identity == before.identity else { throw .changed }
    }

    /// Copies what can be read until there is no more: a pipe, a terminal, a file.
    package func drain(
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
            guard report(offset) else { throw .abandoned }
        }
    }

    private func call<Value>(_ body: () throws(SyscallError) -> Value) throws(DeliveryError) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .failed(error) }
    }
}

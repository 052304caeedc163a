import Glibc

/// The terminal that a person looks at.
public enum Terminal {
    /// Columns and lines of the terminal on standard output, 0 where it does not tell; nil where there is no terminal.
    ///
    /// ioctl_tty(2), TIOCGWINSZ: what is no terminal does not know the request.
    public static func sizeOnStandardOutput() -> (width: Int, height: Int)? {
        var size = winsize()
        do throws(SyscallError) {
            _ = try systemCall(.ioctl) { ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) }
        } catch {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

extension Process {
    /// Lets time pass: nanosleep(2). A signal that is handled may end it early.
    public static func pause(for duration: Duration) {
        let nanoseconds = max(0, duration.wholeNanoseconds)
        var span = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        nanosleep(&span, nil)
    }
}

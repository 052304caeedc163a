import Glibc

/// The terminal that a person looks at.
package enum Terminal {
    /// Columns and lines of the terminal on standard output, 0 where it reports none; nil where there is no terminal.
    ///
    /// ioctl_tty(2), TIOCGWINSZ: what is no terminal does not know the request.
    package static func sizeOnStandardOutput() -> (width: Int, height: Int)? {
        var size = winsize()
        do throws(SyscallError) {
            _ = try systemCall(.ioctl) { ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) }
        } catch {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Standard error is a terminal.
    static var isOnStandardError: Bool { isatty(STDERR_FILENO) == 1 }
}

extension Terminal {
    /// Lets time pass, and returns early where the terminal gets another size meanwhile: SIGWINCH, sigtimedwait(2).
    ///
    /// The signal stays blocked from the first pause on, so that a resize between two pauses ends the next one at once.
    package static func pause(for duration: Duration) {
        let nanoseconds = max(0, duration.wholeNanoseconds)
        var span = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var resize = sigset_t()
        sigemptyset(&resize)
        sigaddset(&resize, SIGWINCH)
        // It fails for a wrong argument alone.
        pthread_sigmask(SIG_BLOCK, &resize, nil)
        sigtimedwait(&resize, nil, &span)
    }
}

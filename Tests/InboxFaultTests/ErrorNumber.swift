import Glibc

/// The error number with which a call fails; 0 where it succeeds.
func errorNumber(_ call: () -> Int32) -> Int32 { call() == -1 ? errno : 0 }

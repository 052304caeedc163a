import Glibc

/// A number that an environment variable sets.
func setting(_ name: String, default usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
}

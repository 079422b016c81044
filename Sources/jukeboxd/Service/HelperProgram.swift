import Base
import Glibc

/// Programs that come with this one and that it starts.
enum HelperProgram {
    /// The path of one: beside this program, where it is built, or in `libexec/jukeboxd` of the same prefix; nil when
    /// it is in neither.
    static func path(_ name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe readlink("/proc/self/exe", $0.baseAddress!, $0.count)
            }
        }
        guard count > 0 else { return nil }
        let own = String(decoding: buffer[..<count], as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let folder = own[..<slash]
        return ["\(folder)/\(name)", "\(folder)/../libexec/jukeboxd/\(name)"].first {
            unsafe access($0, X_OK) == 0
        }
    }
}

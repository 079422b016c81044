import Glibc

/// Where what is installed with this program lies.
package enum Installation {
    /// Where a program of that name may be: beside this one, where it is built, or in `libexec/jukeboxd` of the same
    /// prefix, where `make install` puts what people do not call.
    package static func places(ofProgram name: String) -> [String] {
        guard let folder = ownFolder else { return [] }
        return ["\(folder)/\(name)", "\(parent(of: folder))/libexec/jukeboxd/\(name)"]
    }

    /// The path of a program of that name that can be run; nil when it is in none of its places.
    package static func program(_ name: String) -> String? {
        places(ofProgram: name).first { unsafe access($0, X_OK) == 0 }
    }

    /// The path of a file of that name in `share/jukeboxd` that can be read; nil when it is not there.
    package static func sharedFile(_ name: String) -> String? {
        guard let folder = ownFolder else { return nil }
        let path = "\(parent(of: folder))/share/jukeboxd/\(name)"
        return unsafe access(path, R_OK) == 0 ? path : nil
    }

    /// The folder of this program; nil when it cannot be told.
    private static var ownFolder: String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        let path = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return parent(of: path)
    }

    private static func parent(of path: String) -> String {
        path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }
}

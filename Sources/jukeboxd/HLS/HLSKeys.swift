/// The keys that pieces of a stream were encrypted with, by their URLs; the last few are kept.
final class HLSKeys {
    private static let most = 16

    private var keys: [(url: String, bytes: [UInt8])] = []

    subscript(url: String) -> [UInt8]? { keys.first { $0.url == url }?.bytes }

    func add(_ bytes: [UInt8], for url: String) {
        if keys.count >= Self.most { keys.removeFirst() }
        keys.append((url, bytes))
    }
}

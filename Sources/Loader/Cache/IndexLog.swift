import Base

/// The index of one resource: a log of records, each with a checksum of its own, read up to the first bad one.
///
/// A record is its payload's length (4 bytes), its kind (1), the payload, and XXH3 of kind and payload (8). All
/// numbers are little-endian. A log has this shape because an append is all that a new block costs, and damage
/// costs only what comes after it.
enum IndexLog {
    enum Record: Equatable {
        /// Comes first: the whole key, that of the bare URL, and the URL without secrets.
        case head(key: [UInt8], url: [UInt8], shown: String)
        /// The last one counts.
        case version(CachedVersion)
        case segment(Segment)
        /// The segment that begins there is gone.
        case dropped(start: Int64)
    }

    /// What a log holds.
    struct Contents: Equatable {
        var key: [UInt8] = []
        var url: [UInt8] = []
        var shown = ""
        var version: CachedVersion?
        var segments = SegmentList()
        /// Bytes of the log up to the first bad record.
        var goodBytes = 0
    }

    /// Names the format; another one is not read.
    static let magic = Array("jbcache1".utf8)
    private static let largestPayload = 64 << 10

    // MARK: Writing

    static func encode(_ record: Record) -> [UInt8] {
        var body = ByteWriter()
        switch record {
        case .head(let key, let url, let shown):
            body.add(UInt8(1))
            body.add(bytes: key)
            body.add(bytes: url)
            body.add(text: shown)
        case .version(let version):
            body.add(UInt8(2))
            add(version, to: &body)
        case .segment(let segment):
            body.add(UInt8(3))
            body.add(segment.start)
            body.add(segment.count)
            body.add(segment.checksum)
        case .dropped(let start):
            body.add(UInt8(4))
            body.add(start)
        }
        var whole = ByteWriter()
        whole.add(UInt32(body.bytes.count - 1))
        whole.bytes += body.bytes
        whole.add(Checksum.of(body.bytes[...]))
        return whole.bytes
    }

    private static func add(_ version: CachedVersion, to body: inout ByteWriter) {
        let freshness = version.freshness
        body.add(version.length ?? -1)
        body.add(freshness.received.bitPattern)
        body.add(freshness.freshUntil.bitPattern)
        var flags: UInt8 = 0
        if freshness.mustAsk { flags |= 1 }
        if freshness.mustObey { flags |= 2 }
        if version.validator.isWeak { flags |= 4 }
        if let gives = version.givesRanges { flags |= gives ? 24 : 8 }
        if version.place?.mayLeadToThisMachine == true { flags |= 32 }
        body.add(flags)
        let texts = [
            version.validator.etag, version.validator.lastModified, version.contentType, version.place?.url,
        ]
        for text in texts {
            body.add(UInt8(text == nil ? 0 : 1))
            body.add(text: text ?? "")
        }
    }

    // MARK: Reading

    /// Reads a log; nil when not even its head is good.
    static func read(_ bytes: [UInt8]) -> Contents? {
        guard bytes.starts(with: magic) else { return nil }
        var contents = Contents()
        var at = magic.count
        while let (record, next) = record(in: bytes, at: at) {
            switch record {
            case .head(let key, let url, let shown):
                guard at == magic.count else { return nil }
                (contents.key, contents.url, contents.shown) = (key, url, shown)
            case .version(let version): contents.version = version
            case .segment(let segment): contents.segments.insert(segment)
            case .dropped(let start): contents.segments.remove(startingAt: start)
            }
            at = next
        }
        contents.goodBytes = at
        return contents.key.isEmpty ? nil : contents
    }

    private static func record(in bytes: [UInt8], at start: Int) -> (Record, Int)? {
        var header = ByteReader(bytes[start...])
        guard let count: UInt32 = header.number(), count <= largestPayload else { return nil }
        let body = start + 4
        let end = body + 1 + Int(count)
        guard end + 8 <= bytes.count else { return nil }
        var sum = ByteReader(bytes[end...])
        guard sum.number() == Checksum.of(bytes[body..<end]) else { return nil }
        var payload = ByteReader(bytes[(body + 1)..<end])
        guard let record = record(kind: bytes[body], &payload) else { return nil }
        return (record, end + 8)
    }

    private static func record(kind: UInt8, _ payload: inout ByteReader) -> Record? {
        switch kind {
        case 1:
            guard let key = payload.bytes(), let url = payload.bytes(), let shown = payload.text() else {
                return nil
            }
            return .head(key: key, url: url, shown: shown)
        case 2: return version(&payload).map { .version($0) }
        case 3:
            guard let start: Int64 = payload.number(), let count: Int32 = payload.number(),
                let checksum: UInt64 = payload.number()
            else { return nil }
            return .segment(Segment(start: start, count: count, checksum: checksum))
        case 4: return payload.number().map { .dropped(start: $0) }
        default: return nil
        }
    }

    private static func version(_ payload: inout ByteReader) -> CachedVersion? {
        guard let length: Int64 = payload.number(), let received: UInt64 = payload.number(),
            let freshUntil: UInt64 = payload.number(), let flags: UInt8 = payload.number()
        else { return nil }
        var texts: [String?] = []
        for _ in 0..<3 {
            guard let isThere: UInt8 = payload.number(), let text = payload.text() else { return nil }
            texts.append(isThere == 1 ? text : nil)
        }
        var version = CachedVersion()
        version.length = length >= 0 ? length : nil
        version.freshness = Freshness(
            received: Double(bitPattern: received), freshUntil: Double(bitPattern: freshUntil),
            mustAsk: flags & 1 != 0, mustObey: flags & 2 != 0)
        version.validator = Validator(etag: texts[0], isWeak: flags & 4 != 0, lastModified: texts[1])
        version.contentType = texts[2]
        // Not in what was written before there was such a thing.
        if payload.number() == UInt8(1), let url = payload.text() {
            version.place = ContentPlace(url: url, mayLeadToThisMachine: flags & 32 != 0)
        }
        version.givesRanges = flags & 8 != 0 ? flags & 16 != 0 : nil
        return version
    }
}

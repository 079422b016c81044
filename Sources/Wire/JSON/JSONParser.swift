package import Base
import CJansson

/// Strict JSON (RFC 8259) by jansson, with limits that are counted before it parses.
package enum JSONParser {
    /// Parses one value that fills all of the bytes.
    ///
    /// An integer beyond 64 bits becomes a real. Throws `syntax` for what is no JSON (also a raw NUL, bad
    /// UTF-8, a lone surrogate, a name twice in one object) and `limit` past the limits.
    package static func parse(_ bytes: [UInt8], limits: JSONLimits = .request) throws(JSONError) -> JSONValue
    {
        let scan = try JSONScanner(bytes.span, limits)
        if scan.oversizedEnds.isEmpty { return try load(bytes) }
        return try load(asReals(bytes, scan.oversizedEnds))
    }

    /// jansson refuses an integer that is too large but takes the same digits as a real.
    private static func asReals(_ bytes: [UInt8], _ ends: [Int]) -> [UInt8] {
        var text: [UInt8] = []
        var start = 0
        for end in ends {
            text += bytes[start..<end]
            text += Array(".0".utf8)
            start = end
        }
        return text + bytes[start...]
    }

    /// Enough for the usual request; more comes from malloc.
    private static let blockBytes = 8192

    /// True once jansson takes its memory from the blocks that parses lend.
    private static let isPrepared: Bool = {
        jb_json_prepare()
        return true
    }()

    private static func load(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        precondition(isPrepared)
        // Safe because all that the parser made in the block was copied before the block goes.
        let result = unsafe withUnsafeTemporaryAllocation(byteCount: blockBytes, alignment: 16) { block in
            unsafe jb_json_lend(block.baseAddress, block.count)
            return loadLent(bytes)
        }
        return try result.get()
    }

    private static func loadLent(_ bytes: [UInt8]) -> Result<JSONValue, JSONError> {
        var fault = json_error_t()
        // Safe because the parser reads no more than the count and keeps no pointer into the bytes.
        let root = unsafe bytes.withUnsafeBytes { buffer in
            unsafe jb_json_load(buffer.bindMemory(to: CChar.self).baseAddress, buffer.count, &fault)
        }
        defer { unsafe jb_json_take_back(root) }
        guard let root = unsafe root else {
            return .failure(JSONError(kind: .syntax, message: describe(&fault)))
        }
        return unsafe .success(value(root))
    }

    private static func describe(_ fault: inout json_error_t) -> String {
        let text = unsafe String(cString: jb_json_error_text(&fault))
        return unsafe "not JSON at byte \(jb_json_error_position(&fault)): \(text)"
    }

    /// Copies a tree; its depth is bounded by the limits.
    private static func value(_ json: UnsafeMutablePointer<json_t>) -> JSONValue {
        switch unsafe UInt32(jb_json_type(json)) {
        case JSON_OBJECT.rawValue: unsafe object(json)
        case JSON_ARRAY.rawValue: unsafe array(json)
        case JSON_STRING.rawValue: unsafe .string(string(json_string_value(json), json_string_length(json)))
        case JSON_INTEGER.rawValue: unsafe .integer(Int64(json_integer_value(json)))
        case JSON_REAL.rawValue: unsafe .real(json_real_value(json))
        case JSON_TRUE.rawValue: .bool(true)
        case JSON_FALSE.rawValue: .bool(false)
        default: .null
        }
    }

    private static func array(_ json: UnsafeMutablePointer<json_t>) -> JSONValue {
        let count = unsafe json_array_size(json)
        var values: [JSONValue] = []
        values.reserveCapacity(count)
        for index in 0..<count {
            if let element = unsafe json_array_get(json, index) { unsafe values.append(value(element)) }
        }
        return .array(values)
    }

    private static func object(_ json: UnsafeMutablePointer<json_t>) -> JSONValue {
        var iterator = unsafe json_object_iter(json)
        let members = unsafe JSONMembers(count: json_object_size(json)) {
            guard let here = unsafe iterator, let element = unsafe json_object_iter_value(here) else {
                return nil
            }
            defer { unsafe iterator = unsafe json_object_iter_next(json, here) }
            let name = unsafe string(json_object_iter_key(here), json_object_iter_key_len(here))
            return (name, unsafe value(element))
        }
        return .object(members)
    }

    private static func string(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let bytes = unsafe bytes else { return "" }
        // Safe because jansson owns that many bytes until the tree is released, and they are copied here.
        let raw = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        return unsafe String(decoding: raw, as: UTF8.self)
    }
}

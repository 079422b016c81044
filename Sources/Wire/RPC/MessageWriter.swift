package import Base

/// Writes JSON-RPC messages without a line's end; `line` adds it.
package enum MessageWriter {
    /// A reply with a result.
    package static func reply(_ id: RequestID, result: JSONText) -> JSONText {
        var text = JSONText()
        write(id, result: result, to: &text)
        text.append(raw: "}")
        return text
    }

    /// Appends a reply with a result as a line, without a copy in between.
    package static func appendLine(_ id: RequestID, result: JSONText, to text: inout JSONText) {
        write(id, result: result, to: &text)
        text.append(raw: "}\n")
    }

    private static func write(_ id: RequestID, result: JSONText, to text: inout JSONText) {
        text.append(raw: "{\"jsonrpc\":\"2.0\",\"id\":")
        id.write(to: &text)
        text.append(raw: ",\"result\":")
        text.append(result)
    }

    /// A reply with an error.
    package static func reply(_ id: RequestID, error: RPCError) -> JSONText {
        var text = JSONText()
        text.append(raw: "{\"jsonrpc\":\"2.0\",\"id\":")
        text.append(id)
        text.append(raw: ",\"error\":")
        text.append(error)
        text.append(raw: "}")
        return text
    }

    /// A request, or a notification when `id` is nil.
    package static func request(_ method: String, params: JSONText?, id: RequestID?) -> JSONText {
        var text = JSONText()
        text.append(raw: "{\"jsonrpc\":\"2.0\"")
        if let id { text.member("id", id) }
        text.member("method", method)
        if let params { text.member("params", params) }
        text.append(raw: "}")
        return text
    }

    /// The bytes of a message as a line.
    package static func line(_ text: JSONText) -> [UInt8] {
        var bytes = text.bytes
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

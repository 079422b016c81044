import CExpat

/// Why XML was not read to its end.
package struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line it was found in, from 1.
    package let line: Int
    /// What is wrong, in expat's words or the reader's.
    package let description: String
}

/// Reads well-formed XML by libexpat, with namespaces. Any thread; the whole document is in memory.
///
/// Entities of the document's own, external ones and nesting beyond `deepest` are refused, so that no document
/// becomes larger than it is. Those of HTML are known; a charset and what stands before the document are taken as
/// `XMLBytes` says.
@safe package final class XMLReader {
    /// The most elements within one another.
    package static let deepest = 64

    // Safe because this owner frees it, and it is used by the thread that called `read` only.
    private let parser: OpaquePointer
    private let handler: any MarkupHandler
    private var depth = 0
    private var refusal: String?

    private init?(_ handler: any MarkupHandler) {
        // A blank cannot be part of a namespace's URI, so it parts that from the name.
        guard let parser = unsafe XML_ParserCreateNS("UTF-8", 0x20) else { return nil }
        unsafe self.parser = unsafe parser
        self.handler = handler
        // Safe because the parser, which holds the pointer, goes before this object does.
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(parser, elementStarted, elementEnded)
        unsafe XML_SetCharacterDataHandler(parser, textCame)
        unsafe XML_SetStartDoctypeDeclHandler(parser, doctypeCame)
        // With a document type that nobody reads an entity that is not known is told of instead of being an error.
        unsafe XML_UseForeignDTD(parser, 1)
        unsafe XML_SetSkippedEntityHandler(parser, entitySkipped)
    }

    deinit { unsafe XML_ParserFree(parser) }

    /// Reads a document and tells the handler of its parts. Throws where it is no XML or breaks the limits; what
    /// was told until then stands.
    package static func read(_ bytes: [UInt8], into handler: any MarkupHandler) throws(XMLError) {
        guard let reader = XMLReader(handler) else {
            throw XMLError(line: 1, description: "no memory for reading it")
        }
        let document = XMLBytes.utf8(bytes)
        guard let count = Int32(exactly: document.count) else {
            throw XMLError(line: 1, description: "it is larger than 2 GiB")
        }
        let status = unsafe document.withUnsafeBytes { bytes in
            let text = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return unsafe XML_Parse(reader.parser, text, count, 1)
        }
        guard status == XML_STATUS_OK else { throw reader.error }
    }

    /// The document's text in the charset that `read` would take it for, for a reader that takes anything.
    package static func text(of bytes: [UInt8]) -> String {
        String(decoding: XMLBytes.utf8(bytes), as: UTF8.self)
    }

    private var error: XMLError {
        let text = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
        let line = Int(clamping: unsafe XML_GetCurrentLineNumber(parser))
        return XMLError(line: line, description: refusal ?? text ?? "it is no XML")
    }

    // MARK: What expat calls

    private func refuse(_ reason: String) {
        refusal = refusal ?? reason
        unsafe _ = XML_StopParser(parser, 0)
    }

    fileprivate func start(
        _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) {
        guard refusal == nil else { return }
        depth += 1
        guard depth <= Self.deepest else { return refuse("it nests deeper than \(Self.deepest) elements") }
        var list: [MarkupAttribute] = []
        var index = 0
        while let name = unsafe attributes[index], let value = unsafe attributes[index + 1] {
            unsafe list.append(MarkupAttribute(name: Self.name(name), value: String(cString: value)))
            index += 2
        }
        unsafe handler.elementStarted(Self.name(name), list)
    }

    fileprivate func end(_ name: UnsafePointer<CChar>) {
        guard refusal == nil else { return }
        depth -= 1
        unsafe handler.elementEnded(Self.name(name))
    }

    fileprivate func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard refusal == nil else { return }
        unsafe handler.text(String(decoding: bytes, as: UTF8.self))
    }

    fileprivate func skipped(_ name: String) {
        guard refusal == nil else { return }
        handler.text(Entity.text(named: name) ?? "&\(name);")
    }

    fileprivate func doctype(hasSubset: Bool) {
        if hasSubset { refuse("it declares entities or elements of its own") }
    }

    private static func name(_ text: UnsafePointer<CChar>) -> MarkupName {
        let whole = unsafe String(cString: text)
        guard let blank = whole.lastIndex(of: " ") else { return MarkupName(local: whole) }
        return MarkupName(
            namespace: String(whole[..<blank]), local: String(whole[whole.index(after: blank)...]))
    }
}

// Safe because expat passes the user data that was set with the function, and strings that it ends by a NUL.
private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<XMLReader>.fromOpaque(context).takeUnretainedValue()
}

// Safe as above; the list of attributes ends by a nil.
private func elementStarted(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
    guard let name = unsafe name, let attributes = unsafe attributes else { return }
    unsafe reader(context)?.start(name, attributes)
}

// Safe as above.
private func elementEnded(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name else { return }
    unsafe reader(context)?.end(name)
}

// Safe because expat passes as many bytes as it says.
private func textCame(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32
) {
    guard let bytes = unsafe bytes, count > 0 else { return }
    unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
        unsafe reader(context)?.text(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}

// Safe as above.
private func doctypeCame(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ system: UnsafePointer<CChar>?,
    _ publicID: UnsafePointer<CChar>?, _ hasSubset: Int32
) {
    unsafe reader(context)?.doctype(hasSubset: hasSubset != 0)
}

// Safe as above.
private func entitySkipped(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ isParameter: Int32
) {
    guard let name = unsafe name, isParameter == 0 else { return }
    unsafe reader(context)?.skipped(String(cString: name))
}

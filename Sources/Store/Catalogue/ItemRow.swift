package import Base

/// An item as it lies in the database, to be told without a copy: it is good until the next one is read. The thread of
/// its connection.
package struct ItemRow {
    /// A text of an item.
    package enum Field: Sendable {
        case title, creators, album, url, picture, tags, summary

        fileprivate var column: Int32 {
            switch self {
            case .title: 17
            case .creators: 18
            case .album: 19
            case .url: 20
            case .picture: 22
            case .tags: 23
            case .summary: 25
            }
        }
    }

    static let columns =
        "id, source, listing, kind, date, duration, number, size, added, \(UserMarks.columns), "
        + "available, contents, places, title, creators, album, url, media_type, picture, tags, guid, "
        + "summary"

    let row: Statement

    // MARK: Values

    package var id: Int64 { row.integer(0) }
    package var source: Int64 { row.integer(1) }
    package var listing: CatalogueItem.Listing { .init(rawValue: row.integer(2)) ?? .listed }
    package var kind: PublishedItem.Kind { PublishedItem.Kind(number: row.integer(3)) ?? .track }
    package var date: Double? { row.optionalReal(4) }
    package var duration: Double? { row.optionalReal(5) }
    package var number: Int64? { row.optionalInteger(6) }
    package var size: Int64? { row.optionalInteger(7) }
    package var added: Double { row.real(8) }
    package var user: UserMarks { UserMarks(row, from: 9) }
    package var isAvailable: Bool { row.integer(14) != 0 }
    /// How many contents and places it has; those are rows of their own.
    var contents: Int64 { row.integer(15) }
    var places: Int64 { row.integer(16) }
    var mediaType: String? { row.text(21) }
    var guid: String? { row.text(24) }

    /// What is opened when it is played.
    var content: PublishedItem.Content { .init(url: text(.url) ?? "", mediaType: mediaType, size: size) }

    /// A text as a string of its own.
    func text(_ field: Field) -> String? { row.text(field.column) }

    /// A text that holds several, as strings of their own.
    func list(_ field: Field) -> [String] {
        text(field).map { $0.split(separator: "\n").map(String.init) } ?? []
    }

    // MARK: Telling

    /// Appends a text, or null.
    package func append(_ field: Field, to text: inout JSONText) {
        unsafe row.withText(field.column) { bytes in
            if let bytes = unsafe bytes { unsafe text.append(utf8: bytes) } else { text.append(raw: "null") }
        }
    }

    /// Appends the texts of one that holds several, as an array.
    package func append(list field: Field, to text: inout JSONText) {
        text.append(raw: "[")
        unsafe row.withText(field.column) { bytes in
            guard let bytes = unsafe bytes else { return }
            var isFirst = true
            let parts = unsafe bytes.split(separator: UInt8(ascii: "\n"))
            for index in unsafe parts.indices {
                let part = unsafe parts[index]
                if !isFirst { text.append(raw: ",") }
                isFirst = false
                unsafe text.append(utf8: UnsafeRawBufferPointer(rebasing: part))
            }
        }
        text.append(raw: "]")
    }

    /// Appends a URL without its secrets, or null.
    package func append(url field: Field, to text: inout JSONText) {
        unsafe row.withText(field.column) { bytes in
            guard let bytes = unsafe bytes else { return text.append(raw: "null") }
            // What has none of these has no place for a secret.
            if unsafe bytes.contains(where: Self.mayLeadToSecret) {
                text.append(string: URLMask.shown(unsafe String(decoding: bytes, as: UTF8.self)))
            } else {
                unsafe text.append(utf8: bytes)
            }
        }
    }

    private static func mayLeadToSecret(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "@") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

/// A picture of an item as lines of text.
struct PictureView: Equatable, Sendable {
    /// The room for it, in cells.
    struct Size: Equatable, Sendable {
        let columns: Int
        let rows: Int
    }

    let item: Int64
    let size: Size
    var lines: [String] = []
}

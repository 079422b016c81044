import Terminal

/// Where things are on a screen of some size: a line above, list and detail, the player, a line to type in.
struct Layout: Equatable, Sendable {
    /// With fewer columns list and detail take turns.
    private static let leastForBoth = 70

    let columns: Int
    let rows: Int

    /// Rows of list and detail.
    var bodyRows: Int { max(0, rows - 3) }
    /// True where list and detail are shown beside each other.
    var isSplit: Bool { columns >= Layout.leastForBoth }
    /// Columns of the list.
    var listColumns: Int { isSplit ? columns * 55 / 100 : columns }
    /// The first column of the detail.
    var detailColumn: Int { isSplit ? listColumns + 2 : 0 }
    /// Columns of the detail.
    var detailColumns: Int { max(1, columns - detailColumn) }
    /// The room for a picture; nil where there is not enough.
    var picture: PictureView.Size? {
        guard bodyRows >= 14, detailColumns >= 24 else { return nil }
        return PictureView.Size(columns: min(detailColumns, 40), rows: min(14, bodyRows / 2))
    }
}

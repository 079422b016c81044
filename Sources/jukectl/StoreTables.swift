import Base
import Terminal

/// Sources, items and downloads of the store as tables.
enum StoreTables {
    /// Items: id, whether heard and here, title, creators, date, duration.
    static func items(_ items: [StoreItem]) -> Table {
        var table = Table(columns: [
            .init(isRight: true), .init(), .init(isFlexible: true), .init(isFlexible: true, rank: 3),
            .init(rank: 1), .init(isRight: true, rank: 2),
        ])
        table.rows = items.map { item in
            [
                .init("\(item.id)", .faint), .init(item.marks(), item.isAvailable ? .good : .plain),
                .init(item.title, item.isHeard ? .plain : .bold), .init(item.creators, .faint),
                .init(item.day, .faint), .init(item.duration.map(ClockText.write), .faint),
            ]
        }
        return table
    }

    /// Sources: id, how it stands, title, kind, number of items, what is wrong with it.
    static func sources(_ sources: [JSONValue]) -> Table {
        var table = Table(columns: [
            .init(isRight: true), .init(), .init(isFlexible: true), .init(rank: 1), .init(isRight: true),
            .init(rank: 2), .init(isFlexible: true, rank: 3),
        ])
        table.rows = sources.map { source in
            let status = PlainText.line(source["status"]) ?? "?"
            let url = PlainText.line(source["url"])
            let error = PlainText.line(source["error"]?["message"])
            let unheard = source["unheard"]?.number ?? 0
            return [
                .init(ValueText.write(source["id"] ?? .null), .faint), .init(status, style(of: status)),
                .init(PlainText.line(source["title"]) ?? url, .bold),
                .init(PlainText.line(source["kind"]), .faint),
                .init(source["items"].map(ValueText.write)),
                .init(unheard > 0 ? "\(ValueText.write(source["unheard"] ?? .null)) new" : "", .faint),
                .init(error ?? url, error == nil ? .faint : .bad),
            ]
        }
        return table
    }

    /// Downloads: id, state, share, bytes, title, what is wrong with it.
    static func downloads(_ downloads: [(progress: DownloadProgress, title: String?)]) -> Table {
        var table = Table(columns: [
            .init(isRight: true), .init(), .init(isRight: true), .init(isRight: true, rank: 1),
            .init(isFlexible: true), .init(isFlexible: true, rank: 2),
        ])
        table.rows = downloads.map { progress, title in
            [
                .init("\(progress.id)", .faint),
                .init(progress.state.rawValue, style(of: progress.state.rawValue)),
                .init(progress.percent.map { "\($0)%" }),
                .init(progress.received.map(ByteText.write), .faint),
                .init(title, .bold), .init(progress.failure, .bad),
            ]
        }
        return table
    }

    private static func style(of state: String) -> Output.Style {
        switch state {
        case "ready", "finished": .good
        case "loading", "running", "queued": .warning
        case "failed": .bad
        default: .faint
        }
    }
}

import Base
import Loader

/// A remote source under test, with what it told.
final class Opened {
    let loader: Loader
    let log = EventLog()
    let source: any ByteSource
    let reader: SourceReader

    init(
        _ url: String, mirrors: [String] = [], headers: [(String, String)] = [], charset: String? = nil,
        credentials: CredentialStore = CredentialStore(), _ settings: LoaderSettings = .quick
    ) {
        loader = Loader(settings)
        loader.setCredentials(credentials)
        source = loader.open(url: url, mirrors: mirrors, headers: headers, charset: charset, events: log.add)
        reader = SourceReader(source)
    }

    deinit {
        source.close()
        loader.stop()
    }

    var failure: PlaybackFailure? { log.wait { $0.failure != nil }?.failure }
}

extension LoaderSettings {
    /// Those for tests of silence.
    static var impatient: LoaderSettings {
        var settings = quick
        settings.stallTimeout = .milliseconds(500)
        return settings
    }

    /// The usual rules at a pace for tests.
    static var quick: LoaderSettings {
        var settings = LoaderSettings()
        settings.stallTimeout = .seconds(600)
        settings.lookupTimeout = .seconds(600)
        settings.diskTimeout = .seconds(600)
        settings.connectTimeout = .seconds(600)
        settings.retries.firstDelay = .milliseconds(10)
        settings.retries.longestDelay = .milliseconds(40)
        settings.retries.leastInterval = .milliseconds(20)
        return settings
    }
}

import Base
import Testing

@testable import Loader

@Suite struct CachedPlaceTests {
    @Test(arguments: [
        nil, ContentPlace(url: "http://h/deep/er", mayLeadToThisMachine: true),
        ContentPlace(url: "http://h/x", mayLeadToThisMachine: false),
    ])
    func thePlaceOfAVersionIsKept(_ place: ContentPlace?) {
        var version = CachedVersion()
        version.contentType = "audio/x-mpegurl"
        version.givesRanges = true
        version.place = place
        let head = IndexLog.encode(.head(key: [1], url: [2], shown: "http://h/"))
        let log = IndexLog.read(IndexLog.magic + head + IndexLog.encode(.version(version)))
        #expect(log?.version == version)
    }
}

import Testing

@testable import Feed

@Suite struct FeedDateTests {
    @Test(
        arguments: [
            ("Tue, 02 Jan 2024 10:00:00 +0000", 1_704_189_600),
            ("Fri, 2 May 2014 10:10 GMT", 1_399_025_400),
            // The wrong day of the week.
            ("Thu, 8 Oct 2014 09:00:00 GMT", 1_412_758_800),
            ("Tue, 23 Nov 2021 15:38:00 PST", 1_637_710_680),
            ("Sat May 16 2020 09:00:57 GMT+0000 (Coordinated Universal Time)", 1_589_619_657),
            ("Thu, 15 Feb 2018 11:24:50", 1_518_693_890),
            ("2022-03-11T10:00:00Z", 1_646_992_800),
            ("2022-03-11T10:00:00.500+01:00", 1_646_989_200.5),
            ("2022-03-11 10:00:00 +0100", 1_646_989_200),
            ("2022-03-11t10:00z", 1_646_992_800),
            ("2022-03-11", 1_646_956_800),
            ("2022-03", 1_646_092_800),
            ("2022/03/11 10:00", 1_646_992_800),
            ("2 Jan 06 15:04:05 +0100", 1_136_210_645),
            ("2 Jan 1999", 915_235_200),
            ("2 Jan 99", 915_235_200),
            ("07 Oct 2025", 1_759_795_200),
            ("Mon, 1 Sept 2014 8:5:3 EDT", 1_409_573_103),
            ("October 7, 2025 7:30 pm", 1_759_865_400),
            ("7th October 2025 12:00 AM", 1_759_795_200),
            ("Di, 07 Okt 2025 12:00:00 +0200", 1_759_831_200),
            ("02-May-2014 10:10:00 +00:00", 1_399_025_400),
            ("Wed, 29 Feb 2012 24:00:00 GMT", 1_330_560_000),
            ("\n Tue, 02 Jan 2024 10:00:00 Z ", 1_704_189_600),
            ("1399025400", 1_399_025_400),
        ] as [(String, Double)])
    func isRead(_ text: String, _ time: Double) { #expect(FeedDate.time(text) == time) }

    @Test(arguments: [
        "", "Wed, 27 May 2020 34:50:00 -0400", "Wed, 31 Feb 2020 10:00:00 GMT", "Invalid date", "today",
        "2022-13-01",
        "2022-00-10", "0000-00-00", "0000-00-00T00:00:00Z", "Tue, 02 Jan 2024 10:61:00 GMT", "12:00", "2024",
        "Jan 2024", "Thu, 01 Jan 0001 00:00:00 +0000", "{{ date }}", "99999999999999999999",
        "2 Jan 2024 10:00 XYZ+99",
        "Mon, 29 Feb 2100 00:00:00 GMT", "----", "1/2/2024",
    ])
    func isUnknownRatherThanWrong(_ text: String) { #expect(FeedDate.time(text) == nil) }

    @Test(
        arguments: [
            ("3723", 3723), ("62:03", 3723), ("1:02:03", 3723), ("01:02:03.5", 3723.5),
            ("1:00:00:00", 86_400),
            ("PT1H2M3S", 3723), ("PT90M", 5400), (" 30 ", 30), ("0", nil), ("", nil), ("00:00:00", nil),
            ("-5", nil),
            ("1:xx", nil), ("99999999999", nil), ("about an hour", nil), ("1::3", nil), ("P1Y", nil),
            ("nan", nil),
            ("PT", nil),
        ] as [(String, Double?)])
    func durationIsReadOrUnknown(_ text: String, _ seconds: Double?) {
        #expect(FeedNumber.duration(text) == seconds)
    }

    @Test(
        arguments: [
            ("31104", 31_104), ("0", nil), ("", nil), ("-1", nil), ("12:34", nil),
            ("99999999999999999999", nil),
            ("31,104", nil),
        ] as [(String, Int64?)])
    func sizeIsAHintOrNothing(_ text: String, _ size: Int64?) { #expect(FeedNumber.size(text) == size) }

    @Test(
        arguments: [
            ("48.2 16.3", 48.2, 16.3), ("48.2,16.3", 48.2, 16.3), ("geo:48.2,16.3;u=5", 48.2, 16.3),
            ("geo:-90,-180", -90, -180),
            ("GEO:1,2,3", 1, 2),
        ] as [(String, Double, Double)])
    func coordinatesAreRead(_ text: String, _ latitude: Double, _ longitude: Double) {
        let point = FeedNumber.coordinates(text)
        #expect(point?.latitude == latitude)
        #expect(point?.longitude == longitude)
    }

    @Test(arguments: ["", "48.2", "91 0", "0 181", "geo:", "nan nan", "a,b", "inf,0"])
    func whatIsNoPlaceIsNone(_ text: String) { #expect(FeedNumber.coordinates(text) == nil) }
}

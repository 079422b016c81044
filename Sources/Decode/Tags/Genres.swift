/// The numbered genres of ID3v1 and their use in ID3v2. Source: https://id3.org/id3v2.3.0 appendix A
enum Genres {
    /// The name of a number; nil when there is none.
    static func name(_ number: Int) -> String? { names.indices.contains(number) ? names[number] : nil }

    /// Replaces numbers by names: "17", "(17)", "(17)Rock and pop", "(RX)(CR)".
    static func text(ofID3 text: String) -> String {
        if let number = Int(text), let name = name(number) { return name }
        var rest = Substring(text)
        var found: [String] = []
        while rest.first == "(", !rest.hasPrefix("(("), let close = rest.firstIndex(of: ")") {
            let code = rest[rest.index(after: rest.startIndex)..<close]
            switch code {
            case "RX": found.append("Remix")
            case "CR": found.append("Cover")
            default:
                guard let number = Int(code) else { return text }
                if let name = name(number) { found.append(name) }
            }
            rest = rest[rest.index(after: close)...]
        }
        if rest.hasPrefix("((") { rest = rest.dropFirst() }
        let refined = rest.drop { $0 == " " }
        return refined.isEmpty ? found.joined(separator: ", ") : String(refined)
    }

    private static let names: [String] = list.split(separator: "|").map(String.init)

    private static let list = """
        Blues|Classic Rock|Country|Dance|Disco|Funk|Grunge|Hip-Hop|Jazz|Metal|New Age|Oldies|Other|Pop|R&B|Rap|\
        Reggae|Rock|Techno|Industrial|Alternative|Ska|Death Metal|Pranks|Soundtrack|Euro-Techno|Ambient|Trip-Hop|\
        Vocal|Jazz+Funk|Fusion|Trance|Classical|Instrumental|Acid|House|Game|Sound Clip|Gospel|Noise|\
        Alternative Rock|Bass|Soul|Punk|Space|Meditative|Instrumental Pop|Instrumental Rock|Ethnic|Gothic|\
        Darkwave|Techno-Industrial|Electronic|Pop-Folk|Eurodance|Dream|Southern Rock|Comedy|Cult|Gangsta|Top 40|\
        Christian Rap|Pop/Funk|Jungle|Native American|Cabaret|New Wave|Psychedelic|Rave|Showtunes|Trailer|Lo-Fi|\
        Tribal|Acid Punk|Acid Jazz|Polka|Retro|Musical|Rock & Roll|Hard Rock|Folk|Folk-Rock|National Folk|Swing|\
        Fast Fusion|Bebop|Latin|Revival|Celtic|Bluegrass|Avantgarde|Gothic Rock|Progressive Rock|\
        Psychedelic Rock|Symphonic Rock|Slow Rock|Big Band|Chorus|Easy Listening|Acoustic|Humour|Speech|Chanson|\
        Opera|Chamber Music|Sonata|Symphony|Booty Bass|Primus|Porn Groove|Satire|Slow Jam|Club|Tango|Samba|\
        Folklore|Ballad|Power Ballad|Rhythmic Soul|Freestyle|Duet|Punk Rock|Drum Solo|A Cappella|Euro-House|\
        Dance Hall|Goa|Drum & Bass|Club-House|Hardcore|Terror|Indie|BritPop|Worldbeat|Polsk Punk|Beat|\
        Christian Gangsta Rap|Heavy Metal|Black Metal|Crossover|Contemporary Christian|Christian Rock|Merengue|\
        Salsa|Thrash Metal|Anime|JPop|Synthpop|Abstract|Art Rock|Baroque|Bhangra|Big Beat|Breakbeat|Chillout|\
        Downtempo|Dub|EBM|Eclectic|Electro|Electroclash|Emo|Experimental|Garage|Global|IDM|Illbient|\
        Industro-Goth|Jam Band|Krautrock|Leftfield|Lounge|Math Rock|New Romantic|Nu-Breakz|Post-Punk|Post-Rock|\
        Psytrance|Shoegaze|Space Rock|Trop Rock|World Music|Neoclassical|Audiobook|Audio Theatre|\
        Neue Deutsche Welle|Podcast|Indie Rock|G-Funk|Dubstep|Garage Rock|Psybient
        """
}

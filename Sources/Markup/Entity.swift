import Base

/// Characters by the names that markup gives them.
package enum Entity {
    /// The text that stands between `&` and `;`, such as `eacute`, `#233` or `#xE9`; nil when that is no name.
    package static func text(named name: String) -> String? {
        guard name.hasPrefix("#") else { return named[name] ?? named[name.lowercased()] }
        let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
        guard let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10) else { return nil }
        // HTML reads these as windows-1252 (https://html.spec.whatwg.org/multipage/parsing.html, numeric references).
        if (0x80...0x9F).contains(number) { return LegacyText.windows1252([UInt8(number)]) }
        return Unicode.Scalar(number).map { String(Character($0)) }
    }

    /// The names of HTML 4: XML's five, the upper half of Latin-1 in its order, and what is used of the others
    /// (https://www.w3.org/TR/html401/sgml/entities.html).
    private static let named: [String: String] = {
        var named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        for (index, name) in latin1.split(separator: " ").enumerated() {
            named[String(name)] = Unicode.Scalar(UInt32(0xA0 + index)).map { String(Character($0)) }
        }
        for pair in others.split(separator: " ") {
            if let character = pair.last { named[String(pair.dropLast())] = String(character) }
        }
        return named
    }()

    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """

    private static let others = """
        OEligŒ oeligœ ScaronŠ scaronš YumlŸ fnofƒ circˆ tilde˜ ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ \
        dagger† Dagger‡ bull• hellip… permil‰ prime′ Prime″ lsaquo‹ rsaquo› oline‾ frasl⁄ euro€ trade™ larr← uarr↑ \
        rarr→ darr↓ harr↔ minus− infin∞ asymp≈ ne≠ le≤ ge≥ loz◊ spades♠ clubs♣ hearts♥ diams♦ alphaα betaβ gammaγ \
        deltaδ piπ sigmaσ omegaω OmegaΩ muμ sum∑ radic√
        """
}

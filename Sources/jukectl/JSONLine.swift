import Base
import Wire

/// JSON as people type it.
enum JSONLine {
    /// The value that a text is; nil when it is no JSON.
    static func value(_ text: String) -> JSONValue? {
        do throws(JSONError) {
            return try JSONParser.parse(Array(text.utf8))
        } catch {
            return nil
        }
    }
}

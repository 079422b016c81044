import CCurl

/// Dates as HTTP writes them (RFC 9110, section 5.6.7), and in the other forms that curl knows.
enum HTTPDate {
    /// Unix time in seconds; nil for what is no date.
    static func unixTime(_ text: String) -> Double? {
        let time = unsafe jb_curl_date(text)
        return time >= 0 ? Double(time) : nil
    }
}

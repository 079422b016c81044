/// Comparisons of samples.
enum Sound {
    /// The first index at which two sounds differ by more than rounding, or one ends; nil when they are alike.
    static func firstDifference(_ a: [Float], _ b: [Float]) -> Int? {
        let common = min(a.count, b.count)
        // Pointers: a debug build is some ten times slower with arrays.
        let found: Int? = unsafe a.withUnsafeBufferPointer { a in
            unsafe b.withUnsafeBufferPointer { b in
                var index = 0
                while index < common {
                    let difference = unsafe a[index] - b[index]
                    if !(difference < 1e-5 && difference > -1e-5) { return index }
                    index += 1
                }
                return nil
            }
        }
        return found ?? (a.count == b.count ? nil : common)
    }
}

/// How the channels of a source come out of a device with another number of them.
enum ChannelMatrix {
    /// The factors, a row of `inputs` for each output channel; nil when every channel stays itself.
    ///
    /// Mono goes to both front channels, everything to mono is the mean, more than two to two are mixed so
    /// that nothing clips; else channels keep their place, and what has none is silent.
    static func factors(inputs: Int, outputs: Int) -> [Float]? {
        if inputs == outputs { return nil }
        var factors = [Float](repeating: 0, count: inputs * outputs)
        func set(_ output: Int, _ input: Int, _ factor: Float) { factors[output * inputs + input] = factor }
        if outputs == 1 {
            for input in 0..<inputs { set(0, input, 1 / Float(inputs)) }
        } else if inputs == 1 {
            for output in 0..<2 { set(output, 0, 1) }
        } else if outputs == 2 {
            // Even channels left, odd ones right; a centre (the third of three, or of five and more) to both.
            for input in 0..<inputs {
                if input == 2, inputs != 4 {
                    set(0, input, 0.7071)
                    set(1, input, 0.7071)
                } else {
                    set(input % 2, input, 1)
                }
            }
            for output in 0..<2 {
                let row = (output * inputs)..<((output + 1) * inputs)
                let sum = factors[row].reduce(0, +)
                for index in row { factors[index] /= sum }
            }
        } else {
            for channel in 0..<min(inputs, outputs) { set(channel, channel, 1) }
        }
        return factors
    }
}

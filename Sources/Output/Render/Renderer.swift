import Base

/// Turns a source's float frames, at the device's rate, into the device's bytes: channels, gain, encoding.
///
/// Belongs to one output thread; allocates when made only.
@safe final class Renderer {
    /// Frames that one call renders at most.
    let capacity: Int
    var ramp: GainRamp
    private let inputs: Int
    private let format: SinkFormat
    private let matrix: UnsafeMutablePointer<Float>?
    private let mixed: UnsafeMutablePointer<Float>
    private let stretched: UnsafeMutablePointer<Float>
    private let bytes: UnsafeMutableRawBufferPointer

    /// Makes the scratch memory for at most `capacity` frames a call.
    init(inputs: Int, format: SinkFormat, capacity: Int, ramp: GainRamp) {
        self.inputs = inputs
        self.format = format
        self.capacity = capacity
        self.ramp = ramp
        self.ramp.setRate(format.audio.sampleRate)
        let outputs = format.audio.channels
        unsafe mixed = .allocate(capacity: capacity * outputs)
        unsafe stretched = .allocate(capacity: capacity * inputs)
        unsafe bytes = .allocate(byteCount: capacity * format.frameBytes, alignment: 16)
        if let factors = ChannelMatrix.factors(inputs: inputs, outputs: outputs) {
            let copy = UnsafeMutablePointer<Float>.allocate(capacity: factors.count)
            for index in factors.indices { unsafe copy[index] = factors[index] }
            unsafe matrix = copy
        } else {
            unsafe matrix = nil
        }
    }

    deinit {
        unsafe matrix?.deallocate()
        unsafe mixed.deallocate()
        unsafe stretched.deallocate()
        unsafe bytes.deallocate()
    }

    /// Stretches frames to a few more or fewer, at most `capacity`; valid until the next call.
    func stretch(_ source: UnsafePointer<Float>, from: Int, to count: Int) -> UnsafePointer<Float> {
        unsafe Kernels.stretch(source, from: from, to: stretched, to: min(count, capacity), channels: inputs)
        return unsafe UnsafePointer(stretched)
    }

    /// The device's bytes for frames at `source`; valid until the next call. The ramp stands until `accept`.
    func render(_ source: UnsafePointer<Float>, frames: Int) -> UnsafeRawBufferPointer {
        if format.encoding == .nothing { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        let outputs = format.audio.channels
        var samples = unsafe source
        if let matrix = unsafe matrix {
            unsafe Kernels.mix(
                samples, inputs: inputs, to: mixed, outputs: outputs, matrix: matrix, frames: frames)
            unsafe samples = UnsafePointer(mixed)
        }
        if ramp.remaining != 0 || ramp.current != 1 {
            unsafe Kernels.scale(
                samples, to: mixed, frames: frames, channels: outputs, gain: ramp.current, step: ramp.step,
                ramp: ramp.remaining, end: ramp.target)
            unsafe samples = UnsafePointer(mixed)
        }
        unsafe convert(samples, samples: frames &* outputs)
        return unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: frames &* format.frameBytes)
    }

    /// The device's bytes for silence; valid until the next call.
    func silence(frames: Int) -> UnsafeRawBufferPointer {
        let count = min(frames, capacity) * format.frameBytes
        for index in 0..<count { unsafe bytes[index] = 0 }
        return unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: count)
    }

    /// Notes that the device took frames of those rendered last.
    func accept(frames: Int) { ramp.advance(frames: frames) }

    private func convert(_ source: UnsafePointer<Float>, samples: Int) {
        guard let target = unsafe bytes.baseAddress else { return }
        switch format.encoding {
        case .s16: unsafe Kernels.convertToS16(source, target, samples: samples)
        case .s24Packed: unsafe Kernels.convertToS24Packed(source, target, samples: samples)
        case .s24: unsafe Kernels.convertToS32(source, target, samples: samples, scale: 8_388_608)
        case .s32: unsafe Kernels.convertToS32(source, target, samples: samples, scale: 2_147_483_648)
        case .float: unsafe Kernels.convertToFloat(source, target, samples: samples)
        case .nothing: break
        }
    }
}

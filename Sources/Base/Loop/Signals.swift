/// Signals as events of a loop. Create before the first thread starts.
package final class Signals {
    private let descriptor: SignalDescriptor

    /// Blocks the signals in this thread (and those it starts) and delivers them on the loop.
    package init(_ numbers: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void)
        throws(SystemError)
    {
        let descriptor = try SignalDescriptor(numbers)
        self.descriptor = descriptor
        _ = try loop.add(descriptor.raw, .readable) { _ in
            for number in descriptor.take() { handler(number) }
        }
    }
}

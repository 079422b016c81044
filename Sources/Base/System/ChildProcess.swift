import CLinux
import Glibc

/// A program that is run to its end, with limits to its time and to what it says.
package enum ChildProcess {
    /// Why a program gave no output.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notStarted(reason: String)
        case tookTooLong
        case saidTooMuch
        /// Nothing that could be used.
        case saidNothing
        /// It ended with a status other than 0, or by a signal.
        case ended(status: Int32)
        case killed(signal: Int32)

        /// What happened, to follow the program's name.
        package var description: String {
            switch self {
            case .notStarted(let reason): "cannot be run: \(reason)"
            case .tookTooLong: "took too long"
            case .saidTooMuch: "printed too much"
            case .saidNothing: "printed nothing that can be used"
            case .ended(let status): "ended with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        }
    }

    /// Variables that a program gets from this one's environment.
    private static let inherited = ["PATH", "HOME", "USER", "LANG", "CREDENTIALS_DIRECTORY"]

    /// Runs a program by its absolute path, gives it `input` and returns what it printed; blocks until its end.
    ///
    /// No shell is involved. It is a group of its own, which is killed when a limit is passed; it has none of
    /// our descriptors, the usual signals, few variables, and `/dev/null` for what it says on standard error.
    package static func output(of words: [String], input: [UInt8], within limit: Duration, atMost bytes: Int)
        throws(Failure) -> [UInt8]
    {
        let deadline = MonotonicTime.now + limit
        let child = try Child(words)
        do throws(Failure) {
            let output = try child.exchange(input, atMost: bytes, until: deadline)
            let status = try child.wait(until: deadline)
            guard status & 0x7f == 0 else { throw .killed(signal: status & 0x7f) }
            guard status == 0 else { throw .ended(status: status >> 8 & 0xff) }
            return output
        } catch {
            child.end()
            throw error
        }
    }

    private final class Child {
        private let process: pid_t
        private var isOver = false
        private var toChild: FileDescriptor?
        private let fromChild: FileDescriptor

        init(_ words: [String]) throws(Failure) {
            let environment = ChildProcess.inherited.compactMap { name in
                System.environment(name).map { "\(name)=\($0)" }
            }
            var ends = jb_child()
            let code = unsafe ChildProcess.withPointers(to: words) { words in
                unsafe ChildProcess.withPointers(to: environment) { unsafe jb_spawn(words, $0, &ends) }
            }
            guard code == 0 else { throw .notStarted(reason: SystemError.reason(of: code)) }
            process = ends.pid
            toChild = FileDescriptor(owning: ends.input)
            fromChild = FileDescriptor(owning: ends.output)
        }

        /// Gives it its input while it takes it, and reads until it ends; one that wants no more input is no fault.
        func exchange(_ input: [UInt8], atMost limit: Int, until deadline: MonotonicTime) throws(Failure)
            -> [UInt8]
        {
            var all: [UInt8] = []
            var given = 0
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
            defer { unsafe chunk.deallocate() }
            give(input, from: &given)
            while true {
                var waiting = [pollfd(fd: fromChild.raw, events: Int16(POLLIN), revents: 0)]
                if let fd = toChild?.raw {
                    waiting.append(pollfd(fd: fd, events: Int16(POLLOUT), revents: 0))
                }
                let left = Int32(clamping: (deadline - .now).nanoseconds / 1_000_000)
                guard left > 0 else { throw .tookTooLong }
                guard unsafe poll(&waiting, nfds_t(waiting.count), left) > 0 else { continue }
                if waiting.count > 1, waiting[1].revents != 0 { give(input, from: &given) }
                guard waiting[0].revents != 0 else { continue }
                guard let count = try? unsafe System.read(fromChild.raw, into: chunk), count > 0 else {
                    return all
                }
                unsafe all.append(contentsOf: chunk[..<count])
                if all.count > limit { throw .saidTooMuch }
            }
        }

        /// Writes what the pipe takes; closes it behind the last byte, and when nobody reads it.
        private func give(_ input: [UInt8], from given: inout Int) {
            guard let fd = toChild?.raw else { return }
            do throws(SystemError) {
                while given < input.count {
                    guard let count = try System.write(fd, input[given...]) else { return }
                    given += count
                }
            } catch {
                Log.debug("process", "a program wants no more of its input: \(error)")
            }
            toChild = nil
        }

        /// Its status, once it is over: what has closed its output mostly is by then.
        func wait(until deadline: MonotonicTime) throws(Failure) -> Int32 {
            var status: Int32 = 0
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            while unsafe waitpid(process, &status, WNOHANG) == 0 {
                if MonotonicTime.now >= deadline { throw .tookTooLong }
                unsafe nanosleep(&pause, nil)
                pause.tv_nsec = min(50_000_000, pause.tv_nsec * 2)
            }
            isOver = true
            return status
        }

        /// Ends it, and all of its group.
        func end() {
            if isOver { _ = kill(-process, SIGKILL) } else { ChildProcess.end(process) }
            isOver = true
        }
    }

    /// Starts a program by its absolute path, without arguments and variables, with these descriptors for input and
    /// output; the caller ends it. Throws what posix_spawn(3) says.
    package static func start(_ path: String, input: Int32, output: Int32) throws(SystemError) -> Int32 {
        var process: pid_t = 0
        let code = unsafe withPointers(to: [path]) { words in
            unsafe withPointers(to: []) { unsafe jb_spawn_on(words, $0, input, output, &process) }
        }
        guard code == 0 else { throw SystemError(code: code, operation: "posix_spawn", context: path) }
        return process
    }

    /// Ends a program that was started, with its group, and takes its status: nothing is left of it.
    package static func end(_ process: Int32) {
        _ = kill(-process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    }

    /// Runs `body` with the texts as C wants them, ended by a NULL.
    private static func withPointers<Result>(
        to texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        // Safe because the copies live until the body has returned.
        var pointers = unsafe texts.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the list has its NULL") }
            return unsafe body(base)
        }
    }
}

import Base
import Synchronization

/// Runs the configuration's commands, each on a thread of its own and once at a time, and keeps the tokens that are
/// good still. Any thread.
final class CommandBoard: Sendable {
    /// What is asked of a program: the same question is asked once for all who wait.
    struct Question: Hashable, Sendable {
        let command: [String]
        /// What the program is given; empty for nothing.
        var input = ""
    }

    /// A place for the answer, which one resource waits for.
    final class Ticket: Sendable {
        private let answer = Mutex<Result<CommandAnswer, ChildProcess.Failure>?>(nil)

        /// The answer once it is there.
        var result: Result<CommandAnswer, ChildProcess.Failure>? { answer.withLock { $0 } }

        fileprivate func set(_ result: Result<CommandAnswer, ChildProcess.Failure>) {
            answer.withLock { $0 = result }
        }
    }

    private struct Waiter: Sendable {
        let ticket: Ticket
        let wake: @Sendable () -> Void
    }

    private struct Kept {
        let answer: CommandAnswer
        /// By CLOCK_BOOTTIME, in seconds: a token grows old in a suspended machine too. Nil for until it is refused.
        let until: Double?
    }

    private struct State {
        var waiters: [Question: [Waiter]] = [:]
        var kept: [Question: Kept] = [:]
    }

    /// What a program gets.
    static let timeLimit = Duration.seconds(10)
    static let outputLimit = 8 << 10
    /// A token counts as expired so many seconds early: it must last as long as the request is on its way.
    private static let margin = 5.0

    private let state = Mutex(State())

    /// Asks a program; `wake` is called, on another thread, once the ticket has its answer.
    func ask(_ question: Question, wake: @escaping @Sendable () -> Void) -> Ticket {
        let ticket = Ticket()
        let isFirst = state.withLock { state in
            defer { state.waiters[question, default: []].append(Waiter(ticket: ticket, wake: wake)) }
            return state.waiters[question] == nil
        }
        guard isFirst else { return ticket }
        do throws(SystemError) {
            try Thread.start(name: "jb-command") { [self] in answer(question, with: Self.run(question)) }
        } catch {
            answer(question, with: .failure(.notStarted(reason: error.reason)))
        }
        return ticket
    }

    /// The token that a program gave and that is good still; nil when it must be asked.
    func token(_ question: Question) -> String? {
        state.withLock { state in
            guard let kept = state.kept[question] else { return nil }
            if let until = kept.until, until <= Clocks.bootTime {
                state.kept[question] = nil
                return nil
            }
            return kept.answer.value
        }
    }

    /// Keeps a token for the next who wants one.
    func keep(_ answer: CommandAnswer, for question: Question) {
        let until = answer.lifetime.map { Clocks.bootTime + $0.inSeconds - Self.margin }
        state.withLock { $0.kept[question] = Kept(answer: answer, until: until) }
    }

    /// A server refused that token: it is not given out again.
    func forget(_ token: String, for question: Question) {
        state.withLock { state in
            if state.kept[question]?.answer.value == token { state.kept[question] = nil }
        }
    }

    private func answer(_ question: Question, with result: Result<CommandAnswer, ChildProcess.Failure>) {
        let waiters = state.withLock { $0.waiters.removeValue(forKey: question) ?? [] }
        for waiter in waiters {
            waiter.ticket.set(result)
            waiter.wake()
        }
    }

    private static func run(_ question: Question) -> Result<CommandAnswer, ChildProcess.Failure> {
        do throws(ChildProcess.Failure) {
            let input = question.input.isEmpty ? [] : Array((question.input + "\n").utf8)
            let output = try ChildProcess.output(
                of: question.command, input: input, within: timeLimit, atMost: outputLimit)
            guard let answer = CommandAnswer(output) else { return .failure(.saidNothing) }
            return .success(answer)
        } catch {
            return .failure(error)
        }
    }
}

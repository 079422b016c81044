import Base
import Decode
import Output

/// What the engine's threads tell the control thread, in the order of telling.
enum EngineMessage: Sendable {
    /// From the loader, for the opening with that token.
    case source(token: Int, SourceEvent)
    case decode(DecodeEvent)
    case output(OutputEvent)
    case list(token: Int, ListOutcome)
    /// From the engine itself: what follows an item that was heard to its end is another thing now.
    case settleEnd
}

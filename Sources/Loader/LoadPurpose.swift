/// What somebody opens a resource for.
package enum LoadPurpose: Sendable {
    /// It is read.
    case reading
    /// It will be read soon: all of it is loaded if it can be kept, and else it is left, without a word.
    case ahead
    /// All of it is to be here, whatever bytes cost: told as failed where it cannot be kept.
    case keeping
}

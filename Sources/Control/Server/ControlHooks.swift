package import Base

/// What commands about the daemon itself do; control thread.
package struct ControlHooks {
    /// Why a hook refuses.
    package typealias Failure = CommandFailure

    /// Reads the configuration anew.
    package var reload: () throws(Failure) -> Void
    /// Called after the reply was written, where that was possible.
    package var shutdown: () -> Void
    /// What `explain` tells from.
    package var journal: Journal

    /// Both are called on the control thread.
    package init(
        reload: @escaping () throws(Failure) -> Void, shutdown: @escaping () -> Void,
        journal: Journal = Journal()
    ) {
        self.journal = journal
        self.reload = reload
        self.shutdown = shutdown
    }
}

import Base

extension Session {
    /// Begins to observe. Throws limit when the client has too many subscriptions.
    func observe(_ keySet: KeySet, withOld: Bool, minInterval: Duration) throws(CommandFailure)
        -> Subscription
    {
        let limit = options.subscriptionsPerClient
        guard subscriptions.count < limit else {
            throw CommandFailure(.limit, "A client may have at most \(limit) subscriptions.")
        }
        lastSubscription += 1
        let made = Subscription(lastSubscription, keySet, withOld: withOld, minInterval: minInterval, self)
        keySet.add(made)
        subscriptions.append(made)
        fresh.append(made)
        return made
    }

    /// Ends a subscription. Throws not_found.
    func unobserve(_ id: Int64) throws(CommandFailure) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else {
            throw CommandFailure(.notFound, "This connection has no subscription \(id).")
        }
        subscriptions.remove(at: index).cancel()
    }
}

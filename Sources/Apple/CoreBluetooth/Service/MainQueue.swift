extension DispatchQueue {
    /// Whether this is the main queue. `DispatchQueue.main` is another object each time, so that it cannot be compared.
    var isMain: Bool {
        markMainQueue
        return getSpecific(key: mainQueueKey) == true
    }
}

private let mainQueueKey = DispatchSpecificKey<Bool>()
private let markMainQueue: Void = DispatchQueue.main.setSpecific(key: mainQueueKey, value: true)

public import CoreBluetooth

// Values for those who have subscribed.
extension MutableCharacteristic {
    /// Whether the next update is passed to CoreBluetooth at once: there is a subscriber, and there is room.
    public var isUpdating: Bool { state.withLock(\.isUpdating) }

    /// Those who have subscribed, in the order in which they did.
    public var subscribers: [any CBCentralInjectable] { state.withLock(\.subscribers) }

    /// The updates that wait, the oldest first.
    public var pendingUpdates: [Data] { state.withLock(\.queue) }

    /// Updates the value as people write it.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update(withString value: [String: String]) throws {
        guard let data = data(fromString: value) else { throw MutableCharacteristicError.notSerializable }
        try update(withData: data)
    }

    /// Sets the value and notifies the subscribers, as soon as there are any and there is room.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update(withData value: Data) throws {
        guard peripheralManager != nil else { throw MutableCharacteristicError.unconfigured }
        guard canNotify else { throw MutableCharacteristicError.notifyNotSupported }
        state.withLock { state in
            state.value = value
            state.queue.append(value)
            send(&state)
        }
    }

    /// Updates a number.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update<T: Deserializable>(_ value: T) throws { try update(withData: SerDe.serialize(value)) }

    /// Updates what is made of a number.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update<T: RawDeserializable>(_ value: T) throws { try update(withData: SerDe.serialize(value)) }

    /// Updates what is made of several numbers.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update<T: RawArrayDeserializable>(_ value: T) throws { try update(withData: SerDe.serialize(value)) }

    /// Updates what is made of two numbers.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update<T: RawPairDeserializable>(_ value: T) throws { try update(withData: SerDe.serialize(value)) }

    /// Updates what is made of numbers of two types.
    ///
    /// - Throws: `MutableCharacteristicError`.
    public func update<T: RawArrayPairDeserializable>(_ value: T) throws {
        try update(withData: SerDe.serialize(value))
    }

    // MARK: Within the library

    /// Passes queued updates on until there is no room. A refused update stays at the front.
    private func send(_ state: inout State) {
        guard let manager = state.service?.peripheralManager else {
            state.isUpdating = false
            return
        }
        var sent = 0
        while state.isUpdating, sent < state.queue.count {
            state.isUpdating = manager.update(state.queue[sent], of: state.published)
            if state.isUpdating { sent += 1 }
        }
        state.queue.removeFirst(sent)
    }

    func subscribed(_ central: any CBCentralInjectable) {
        state.withLock { state in
            state.subscribers.put(central) { $0.identifier == central.identifier }
            state.isUpdating = true
            send(&state)
        }
    }

    func unsubscribed(_ central: any CBCentralInjectable) {
        state.withLock { state in
            state.subscribers.removeAll { $0.identifier == central.identifier }
            if state.subscribers.isEmpty { state.isUpdating = false }
        }
    }

    /// CoreBluetooth has room again.
    func readyToUpdate() {
        state.withLock { state in
            guard !state.isUpdating, !state.subscribers.isEmpty else { return }
            state.isUpdating = true
            send(&state)
        }
    }

    func forgetCentrals() {
        state.withLock { state in
            state.subscribers = []
            state.isUpdating = false
        }
    }
}

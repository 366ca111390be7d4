// Only here: what apps on Apple's systems learn by observing `state`, for those who would rather wait for it.

extension CBManager {
    /// Whether Bluetooth can be used: now, and whenever that changes.
    public var states: AsyncStream<CBManagerState> { values(of: \.state) }
}

extension CBPeripheral {
    /// How this app stands to the peripheral: now, and whenever that changes.
    public var states: AsyncStream<CBPeripheralState> { values(of: \.state) }
}

public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// When the first frame after CONNECT_IND or a connection update may begin: an offset and a size, both in steps of
/// 1.25 ms. Core 6.0, Vol 6, Part B, 2.3.3.1 and 4.5.3.
public struct TransmitWindow: Hashable, Sendable {
    /// At least 1; at most 10 ms and one step less than the connection interval.
    public let sizeSteps: UInt8
    /// At most the connection interval.
    public let offsetSteps: UInt16

    /// Nil where size or offset does not suit the interval.
    @inlinable
    public init?(sizeSteps: UInt8, offsetSteps: UInt16, interval: ConnectionInterval) {
        guard sizeSteps >= 1, sizeSteps <= min(8, interval.steps - 1), offsetSteps <= interval.steps else { return nil }
        self.sizeSteps = sizeSteps
        self.offsetSteps = offsetSteps
    }

    /// How long the window stays open.
    @inlinable
    public var size: TimeSpan { .microseconds(1_250 * Int64(sizeSteps)) }
    /// How long after the transmit window delay it opens.
    @inlinable
    public var offset: TimeSpan { .microseconds(1_250 * Int64(offsetSteps)) }
}

/// A frame in flight, by its place in the medium.
public struct TransmissionID: Hashable, Sendable {
    let slot: Int

    /// For queues that carry small integers.
    public var number: UInt32 { UInt32(slot) }
    public init(number: UInt32) { slot = Int(number) }
    init(slot: Int) { self.slot = slot }
}

/// One receiver's share of a frame that has ended.
public struct Delivery: Sendable {
    public let receiver: RadioID
    public let reception: Reception
    /// Whether the medium flipped bits: for traces; a receiver finds out by the CRC.
    public let isDamaged: Bool
}

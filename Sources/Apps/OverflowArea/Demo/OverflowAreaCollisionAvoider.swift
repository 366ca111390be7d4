public import Foundation

/// Sees to it that bits which other apps set in the overflow area are not taken for a payload: `BeaconFrame` and
/// `BankStatuses`, for all the phones that are heard.
public struct OverflowAreaCollisionAvoider: Sendable {
    public let positions: BeaconFrame.Positions
    public var numberOfPositions: Int { positions.count }
    /// Which bits of a bank have to be zero for it to be empty.
    public let extent: BankStatuses.Extent
    /// What is known of each phone, by the identifier that it has here. Nothing is ever forgotten unless `forget` is called.
    public private(set) var known: [UUID: BankStatuses] = [:]

    /// - Parameter extent: which bits of a bank have to be zero for it to be empty.
    public init(positions: BeaconFrame.Positions = .halves, extent: BankStatuses.Extent = .frame) {
        self.positions = positions
        self.extent = extent
    }

    /// All 16 bytes with the payload in a position, counted from 0. Of a payload that is too long the rest is dropped.
    public func shiftAdvertisement(
        matchingByte: UInt8,
        payloadToAdvertise payload: [UInt8],
        position: Int
    ) -> [UInt8] {
        let payload = Array(payload.prefix(positions.longestPayload))
        let frame = BeaconFrame(payload, matchingByte: matchingByte, positions: positions)
        return frame?.bytes(at: position) ?? [UInt8](repeating: 0, count: 16)
    }

    /// What the overflow area of a phone says, by what was known of it before; learns from it.
    public mutating func judge(
        _ bytes: [UInt8],
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        payloadSize: Int,
        of device: UUID
    ) -> BankStatuses.Judgement {
        known[device, default: BankStatuses(positions: positions, extent: extent)]
            .judge(bytes, matchingByte: matchingByte, payloadSize: payloadSize)
    }

    /// The payload, if it can be believed; nil if not, or if there is none. Of a nil device everything is believed at once,
    /// and nothing is learnt.
    public mutating func extractPayload(
        overflowAreaBytes bytes: [UInt8],
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        payloadSize: Int,
        deviceId: UUID?
    ) -> [UInt8]? {
        guard bytes.count == 16, (0...positions.longestPayload).contains(payloadSize) else { return nil }
        if let deviceId {
            return judge(bytes, matchingByte: matchingByte, payloadSize: payloadSize, of: deviceId).payload
        }
        return positions.starts.first { bytes[$0] == matchingByte }
            .map { Array(bytes[($0 + 1)...].prefix(payloadSize)) }
    }

    /// Forgets a phone.
    public mutating func forget(_ device: UUID) { known[device] = nil }
}

/// What is known of the banks of one phone, and the rule by which a payload is believed.
///
/// A bank in which other bits are set than those of the frame would change a payload without being noticed. So a bank
/// has to have been seen empty, while the frame was in another one, before anything in it is believed.
public struct BankStatuses: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable, Codable {
        /// Not seen yet while the frame was elsewhere.
        case unknown
        /// Was empty when it was last seen without the frame.
        case unpolluted
        /// Was not.
        case polluted
    }

    /// Which bits of a bank have to be zero for it to be empty.
    public enum Extent: String, Hashable, Sendable, CaseIterable {
        /// Those of the bytes in which a frame would be, as the original's code has it. No other bit can change a payload.
        case frame
        /// All 64, as the original's description has it.
        case whole
    }

    /// What an advertisement is worth.
    public enum Judgement: Hashable, Sendable {
        case payload([UInt8], position: Int)
        /// No frame was there.
        case notFound
        /// A frame was there, in a bank of which nothing is known yet.
        case unverified(position: Int)
        /// A frame was there, in a bank with bits that are not of frames.
        case polluted(position: Int)

        public var payload: [UInt8]? { if case .payload(let bytes, _) = self { bytes } else { nil } }
    }

    /// Of each position.
    public private(set) var statuses: [Status]
    private let positions: BeaconFrame.Positions
    private let extent: Extent

    /// - Parameter extent: which bits of a bank have to be zero for it to be empty.
    public init(positions: BeaconFrame.Positions = .halves, extent: Extent = .frame) {
        self.positions = positions
        self.extent = extent
        statuses = Array(repeating: .unknown, count: positions.count)
    }

    /// Judges the 16 bytes of an advertisement, in the order of apps, by what was known before; then learns from it which
    /// banks were empty.
    public mutating func judge(
        _ bytes: [UInt8],
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        payloadSize: Int
    ) -> Judgement {
        precondition(bytes.count == 16, "an overflow area has 16 bytes, not \(bytes.count)")
        precondition(
            (0...positions.longestPayload).contains(payloadSize),
            "a payload has at most \(positions.longestPayload) bytes"
        )
        let found = positions.starts.firstIndex { bytes[$0] == matchingByte }
        let judgement = found.map { judge(bytes, at: $0, payloadSize) } ?? .notFound
        for (position, start) in positions.starts.enumerated() where position != found {
            let looked = extent == .whole ? positions.bank(of: position) : start..<start + 1 + payloadSize
            let isEmpty = bytes[looked].allSatisfy { $0 == 0 }
            statuses[position] = isEmpty ? .unpolluted : .polluted
        }
        return judgement
    }

    /// What stands behind the matching byte.
    private func payload(_ bytes: [UInt8], at position: Int, _ payloadSize: Int) -> [UInt8] {
        let start = positions.starts[position] + 1
        return Array(bytes[start..<min(start + payloadSize, bytes.count)])
    }

    private func judge(_ bytes: [UInt8], at position: Int, _ payloadSize: Int) -> Judgement {
        switch statuses[position] {
        case .unknown: .unverified(position: position)
        case .polluted: .polluted(position: position)
        case .unpolluted:
            .payload(payload(bytes, at: position, payloadSize), position: position)
        }
    }
}

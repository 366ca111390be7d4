import CoreBluetooth

/// Bytes that the other end can check: each follows from its place.
enum Payload {
    static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }) }
}

/// The names that both apps know.
enum Names {
    static let service = CBUUID(string: "B1E70001-7E11-4A5C-9D20-0B1A5E1F0001")
    /// The publisher's bytes, as notifications.
    static let outgoing = CBUUID(string: "B1E70002-7E11-4A5C-9D20-0B1A5E1F0001")
    /// The central's bytes, as writes.
    static let incoming = CBUUID(string: "B1E70003-7E11-4A5C-9D20-0B1A5E1F0001")
    /// For trusted devices only.
    static let secret = CBUUID(string: "B1E70004-7E11-4A5C-9D20-0B1A5E1F0001")
    /// Where a channel can be opened, as Apple's documentation proposes.
    static let psm = CBUUID(string: CBUUIDL2CAPPSMCharacteristicString)
    static let secretValue = Data("between us".utf8)
}

/// Tells a story, line by line: the name of what happened, and what belongs to it.
typealias Story = @Sendable (_ event: String, _ details: [String: Any]) -> Void

/// What the apps are to do.
struct Plan: Sendable {
    /// Bytes each way, in chunks.
    var bytes = 4096
    /// What the publisher is called on the air.
    var name = "app-peer"
    /// Whether the central reads what is for trusted devices only.
    var readsSecret = false
    /// Bytes over an L2CAP channel, which there is if there are any.
    var channelSends = 0
    var channelReceives = 0

    /// Under which name the publisher's manager is restored; nil for none.
    var restoreIdentifier: String?

    var usesChannel: Bool { channelSends + channelReceives > 0 }
}

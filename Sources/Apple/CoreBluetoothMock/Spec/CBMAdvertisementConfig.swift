public import Foundation

/// Something that a simulated peripheral advertises.
public struct CBMAdvertisementConfig {
    /// Distinguishes configurations with the same content.
    private let id = UUID()

    /// The keys of CoreBluetooth. Name, services, solicited services, manufacturer data, service data and power are sent;
    /// `CBMAdvertisementDataIsConnectable` says whether centrals may connect.
    public let data: [String: Any]
    /// In seconds. With 0 it is sent once. On the air an interval is 20 ms to 10.24 s in steps of 0.625 ms; a shorter one
    /// is 20 ms.
    public let interval: TimeInterval
    /// After so many seconds it is sent for the first time, counted from when the peripheral came or began to advertise this.
    public let delay: TimeInterval
    /// Whether it is also sent while a central is connected.
    public let isAdvertisingWhenConnected: Bool

    public init(
        data: [String: Any],
        interval: TimeInterval,
        delay: TimeInterval = 0.0,
        isAdvertisingWhenConnected: Bool = false
    ) {
        self.data = data
        self.interval = interval
        self.delay = delay
        self.isAdvertisingWhenConnected = isAdvertisingWhenConnected
    }
}

extension CBMAdvertisementConfig: Hashable {
    /// A configuration equals its copies only.
    public static func == (lhs: CBMAdvertisementConfig, rhs: CBMAdvertisementConfig) -> Bool { lhs.id == rhs.id }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

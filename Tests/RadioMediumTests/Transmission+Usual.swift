import BluethroatBluetoothValues
import BluethroatVirtualTime

@testable import BluethroatRadioMedium

extension Transmission {
    /// 46 bytes on LE 1M, with 1 as sync word: 376 µs, preamble included. `power` is in dBm.
    static func usual(
        from radio: RadioID,
        on channel: ChannelIndex = .advertising[0],
        at start: Instant,
        power: Int8 = 0
    ) -> Self {
        Self(
            radio: radio,
            channel: channel,
            phy: .le1M,
            power: SignalStrength(dBm: power),
            syncWord: 1,
            start: start,
            end: start + .microseconds(376),
            frame: (0..<46).map { UInt8($0) }
        )
    }
}

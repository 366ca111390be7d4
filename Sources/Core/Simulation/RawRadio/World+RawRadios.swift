import BluethroatAirPackets
import BluethroatBluetoothValues
public import BluethroatRadioMedium
import BluethroatVirtualTime

/// Radios that send and report any bytes.
extension World {
    /// Puts a `RawRadio` on the air: a device without controller and host.
    public func addRawRadio(named name: String, at position: Position = .origin) -> RawRadio {
        let id = nextID
        let radio = state.medium.addRadio(at: position)
        let raw = RawRadio(id: id, radio: radio, world: self)
        add(named: name, .raw(raw), .external({ _ in }), drift: .none)
        if let device = device(id) { quietAir?.addScripted(device) }
        return raw
    }

    func transmit(_ frame: RawFrame, on channel: ChannelIndex, phy: PHY, power: SignalStrength, by raw: RawRadio) {
        guard let device = device(raw.id) else { return }
        takeToMedium(device)
        transmit(frame.bytes, on: channel, phy: phy, power: power, radio: raw.radio, of: device)
    }

    /// Nothing ends such listening but another order: the medium itself lets nothing through that begins after `until`.
    func listen(
        _ raw: RawRadio,
        on channel: ChannelIndex,
        phy: PHY,
        syncWord: UInt32,
        from since: Instant,
        until: Instant
    ) {
        // What is going out goes first; its end calls `resume`.
        guard let device = device(raw.id), device.state.transmission == nil else { return }
        state.endDirectEvent()
        _ = state.medium.listen(raw.radio, on: channel, phy: phy, syncWord: syncWord, from: since, until: until)
    }

    func stop(_ raw: RawRadio) {
        guard let device = device(raw.id) else { return }
        takeToMedium(device)
        state.medium.stopListening(raw.radio)
    }
}

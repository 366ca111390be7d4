public import BluethroatBluetoothValues
public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// Where devices are, and what their links lose.
extension World {
    public func position(of id: DeviceID) -> Position? {
        radio(of: id).map { state.position(of: $0) }
    }

    public func move(_ id: DeviceID, to position: Position) {
        guard let device = device(id), let radio = device.radio else { return }
        state.endDirectEvent()
        state.medium.move(radio, to: position)
        quietAir?.moved(device, to: position)
    }

    /// The weakest signal that a device can follow from now on; nil is that of all others.
    public func setSensitivity(_ sensitivity: SignalStrength?, of id: DeviceID) {
        guard let radio = radio(of: id) else { return }
        state.endDirectEvent()
        state.medium.setSensitivity(sensitivity, of: radio)
        if let sensitivity { quietAir?.hearsDown(to: sensitivity) }
    }

    /// The share of frames lost from one device to another, over and above what physics takes.
    public func setLoss(_ share: Ratio, from transmitter: DeviceID, to receiver: DeviceID) {
        guard let to = radio(of: receiver) else { return }
        guard let from = radio(of: transmitter) else {
            // In a divided world the other one may be in another part: what gets lost is drawn where it would arrive.
            if state.sharedAir != nil {
                state.medium.setSharedLoss(share, from: RadioID(rawValue: transmitter.rawValue), to: to)
            }
            return
        }
        state.endDirectEvent()
        state.medium.setLoss(share, from: from, to: to)
    }

    /// The same between any two devices without a share of their own.
    public func setLossEverywhere(_ share: Ratio) {
        state.endDirectEvent()
        state.medium.setLossEverywhere(share)
    }

    /// How loudly one device hears another that sends with 0 dBm, in dBm.
    public func strength(from transmitter: DeviceID, at receiver: DeviceID) -> Int? {
        guard let from = radio(of: transmitter), let to = radio(of: receiver) else { return nil }
        return state.medium.strength(of: SignalStrength(dBm: 0), from: from, at: to)
    }

    /// The same for any two devices of the larger world of which this one is a part, where they are: their radios have the
    /// numbers of the devices.
    package func strength(
        from transmitter: (id: DeviceID, place: Position),
        at receiver: (id: DeviceID, place: Position)
    ) -> Int {
        state.medium.strength(
            of: SignalStrength(dBm: 0),
            from: (RadioID(rawValue: transmitter.id.rawValue), transmitter.place),
            at: (RadioID(rawValue: receiver.id.rawValue), receiver.place)
        )
    }

    /// How loud a device that sends with this power is at a place, be it too faint for any receiver there.
    public func strength(of power: SignalStrength, from id: DeviceID, at place: Position) -> SignalStrength {
        guard let position = position(of: id) else { return power }
        let strength = Int(power.dBm) - state.medium.propagation.loss(from: position, to: place)
        return SignalStrength(dBm: Int8(clamping: strength))
    }
}

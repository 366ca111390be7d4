import BluethroatVirtualTime

// The two keys.
extension KeyFobModel {
    mutating func moved(_ key: KeyFobKey, down: Bool, at now: Instant, into effects: inout [KeyFobEffect]) {
        guard power != .off else { return }
        guard let changed = keys.move(key, down: down, at: now, timers: &timers) else { return }
        handle(changed, into: &effects)
    }

    /// The firmware's key handler. It learns which keys are down and not which one changed, so that a key that is held
    /// acts again whenever the other one moves.
    mutating func handle(_ down: KeyFobKeys, into effects: inout [KeyFobEffect]) {
        effects.append(.keys(down))
        if down.contains(.left) {
            if alert.level != .none { stopAlert(into: &effects) }
            if isConnected { toggleTransmitPower(into: &effects) }
        }
        if down.contains(.right) { toggleAdvertising(into: &effects) }
        effects.append(.notify(.keys, down.rawValue))
    }

    private mutating func toggleTransmitPower(into effects: inout [KeyFobEffect]) {
        switch txPower {
        case 0: txPower = -6
        case -6: txPower = 0
        default: return
        }
        effects.append(.setTransmitPower(dBm: txPower))
        effects.append(.transmitPower(dBm: txPower))
        effects.append(.notify(.txPowerLevel, UInt8(bitPattern: txPower)))
    }
}

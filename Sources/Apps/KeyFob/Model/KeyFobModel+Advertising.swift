import BluethroatVirtualTime

// Advertising: what is wanted, what the radio was ordered, and what it has reported.
extension KeyFobModel {
    mutating func toggleAdvertising(into effects: inout [KeyFobEffect]) {
        guard power != .off, !isConnected else { return }
        setAdvertising(wanted: !wantsAdvertising, into: &effects)
    }

    mutating func setAdvertising(wanted: Bool, into effects: inout [KeyFobEffect]) {
        wantsAdvertising = wanted
        applyWantedAdvertising(into: &effects)
    }

    /// Gives the radio the order for the wanted state, unless an earlier order is still under way.
    mutating func applyWantedAdvertising(into effects: inout [KeyFobEffect]) {
        guard power == .on, !isConnected else { return }
        switch (advertising, wantsAdvertising) {
        case (.off, true):
            advertising = .starting
            effects.append(.startAdvertising)
        case (.on, false):
            advertising = .stopping
            effects.append(.stopAdvertising)
        default: break
        }
    }

    mutating func advertisingStarted(at now: Instant, into effects: inout [KeyFobEffect]) {
        guard advertising == .starting else { return }
        advertising = .on
        timers.arm(.advertisingEnd, at: now.after(options.advertisingDuration))
        effects.append(.advertising(true))
        if options.showsAdvertising { lights.setLED2(true, timers: &timers, into: &effects) }
        applyWantedAdvertising(into: &effects)
    }

    mutating func advertisingStopped(into effects: inout [KeyFobEffect]) {
        guard isAdvertising else { return }
        // A radio that stops on its own accord is not set going again; a key may have asked for that meanwhile.
        if advertising == .on { wantsAdvertising = false }
        ceaseAdvertising(into: &effects)
        // However the period ended, the firmware takes it for the end of a connection it has not had.
        settle(into: &effects)
        applyWantedAdvertising(into: &effects)
    }

    mutating func advertisingFailed() {
        guard advertising == .starting else { return }
        advertising = .off
        wantsAdvertising = false
    }

    /// The radio has stopped, for whatever reason.
    mutating func ceaseAdvertising(into effects: inout [KeyFobEffect]) {
        if isAdvertising { effects.append(.advertising(false)) }
        advertising = .off
        timers.cancel(.advertisingEnd)
    }
}

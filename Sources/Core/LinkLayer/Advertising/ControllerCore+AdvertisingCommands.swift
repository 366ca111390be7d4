import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// The legacy advertising commands. Core 6.0, Vol 4, Part E, 7.8.5 to 7.8.9.
extension ControllerCore {
    mutating func setAdvertisingParameters(_ parameters: LESetAdvertisingParameters) -> ControllerError {
        guard !advertiser.isEnabled else { return .commandDisallowed }
        // The bits above the three channels are reserved: they count for nothing.
        guard parameters.channelMap & 0b111 != 0 else { return .invalidCommandParameters }
        let isDirected = parameters.type == .directedHighDutyCycle || parameters.type == .directedLowDutyCycle
        guard !isDirected || parameters.peer.isOnAir else { return .invalidCommandParameters }
        switch parameters.type {
        case .directedHighDutyCycle: break
        case .connectable, .scannable, .nonConnectable, .directedLowDutyCycle:
            guard let minimum = AdvertisingInterval(steps: parameters.minimumInterval),
                let maximum = AdvertisingInterval(steps: parameters.maximumInterval)
            else { return .invalidCommandParameters }
            guard minimum <= maximum else { return .invalidCommandParameters }
        }
        advertiser.parameters = parameters
        return .success
    }

    mutating func setAdvertisingData(_ data: [UInt8]) -> ControllerError {
        advertiser.data = data
        renewAdvertisement()
        return .success
    }

    mutating func setScanResponseData(_ data: [UInt8]) -> ControllerError {
        advertiser.scanResponse = data
        renewAdvertisement()
        return .success
    }

    mutating func setAdvertisingEnable(_ isEnabled: Bool, at now: Instant, into actions: inout ControllerActions)
        -> ControllerError
    {
        guard isEnabled else {
            if advertiser.isEnabled {
                let hadRadio = isAdvertising
                advertiser.stop()
                if hadRadio {
                    actions.radio.append(.stop)
                    radioFreed(at: now, into: &actions)
                }
            }
            return .success
        }
        let peer = advertiser.parameters.peer.address
        guard let address = ownAddress(advertiser.parameters.ownAddressType, towards: peer, at: now) else {
            return .invalidCommandParameters
        }
        if advertiser.isConnectable, connectionCount >= configuration.connectionLimit {
            return .connectionLimitExceeded
        }
        // Enabling again begins anew, with a new address and a new start. 7.8.9.
        if isAdvertising {
            actions.radio.append(.stop)
            releaseRadio()
            observe(at: now, into: &actions)
        }
        advertiser.ownAddress = address
        advertiser.target = advertisingTarget(at: now) ?? peer
        advertiser.makeFrames(supportsChannelSelection2: configuration.supportsChannelSelection2)
        advertiser.start(at: now, delay: &random.advertisingDelay)
        return .success
    }

    /// What is advertised changes while advertising is on: from the next event on.
    private mutating func renewAdvertisement() {
        guard advertiser.isEnabled else { return }
        advertiser.makeFrames(supportsChannelSelection2: configuration.supportsChannelSelection2)
    }
}

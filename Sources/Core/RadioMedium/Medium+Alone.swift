public import BluethroatBluetoothValues
import BluethroatVirtualTime

/// Two radios to whose frames nothing happens on their way.
extension Medium {
    /// How loudly a first radio hears a second one, and the second one the first; nil unless they are alone on a channel:
    /// no other radio listens or transmits there, they themselves do nothing yet, each is loud enough for the other, and no
    /// share of frames is lost.
    ///
    /// As long as that is so, each frame of one of them arrives at the other one as it was sent, and nowhere else.
    public mutating func strengths(
        betweenAlone first: (radio: RadioID, power: SignalStrength),
        and second: (radio: RadioID, power: SignalStrength),
        on channel: ChannelIndex
    ) -> (atFirst: SignalStrength, atSecond: SignalStrength)? {
        let place = Int(channel.index)
        guard channels[place].isSilent, losses.isNone,
            let one = silentRadio(first.radio), let other = silentRadio(second.radio)
        else { return nil }
        let loss = pathLoss(between: (first.radio, one.position), and: (second.radio, other.position))
        let atFirst = Int(second.power.dBm) - loss, atSecond = Int(first.power.dBm) - loss
        guard atFirst >= sensitivity(one.sensitivity), atSecond >= sensitivity(other.sensitivity) else { return nil }
        return (SignalStrength(dBm: Int8(clamping: atFirst)), SignalStrength(dBm: Int8(clamping: atSecond)))
    }

    /// Whether the three advertising channels have neither listeners nor transmissions: a frame there has no effect on any radio.
    package var isSilentWhereAdvertised: Bool {
        mutating get { channels[37].isSilent && channels[38].isSilent && channels[39].isSilent }
    }

    /// A radio that neither listens nor transmits.
    private func silentRadio(_ id: RadioID) -> Radio? {
        guard let radio = radios[id.arrival], !radio.isRemoved, radio.listening == nil, radio.framesInFlight == 0 else {
            return nil
        }
        return radio
    }
}

extension Channel {
    /// Whether it has neither listeners nor transmissions.
    fileprivate var isSilent: Bool { listeners.placeCount == 0 && onAir.isEmpty }
}

import BluethroatAirPackets
import BluethroatBluetoothValues

/// Which channel each event of a connection is on, by the algorithm both sides agreed on.
struct ChannelHopping: Sendable {
    private enum Algorithm {
        /// With the number of events since the channel was last asked for.
        case first(ChannelSelection1, behind: Int)
        case second(ChannelSelection2)
    }

    private var algorithm: Algorithm
    var channelMap: ChannelMap

    init(_ indication: ConnectIndication, usesSecondAlgorithm: Bool) {
        channelMap = indication.channelMap
        algorithm =
            usesSecondAlgorithm
            ? .second(ChannelSelection2(accessAddress: indication.accessAddress))
            : .first(ChannelSelection1(hopIncrement: indication.hopIncrement), behind: 1)
    }

    var usesSecondAlgorithm: Bool {
        if case .second = algorithm { true } else { false }
    }

    /// The channel of the event with the given counter; asked once an event, in order.
    mutating func channel(event counter: UInt16) -> ChannelIndex {
        switch algorithm {
        case .first(var selection, let behind):
            // Asked again for the same event, the answer is the same: nothing to advance by.
            guard behind > 0 else { return selection.channelNow(channelMap) }
            let channel = selection.advance(by: behind, channelMap: channelMap)
            algorithm = .first(selection, behind: 0)
            return channel
        case .second(let selection):
            return selection.channel(event: counter, channelMap: channelMap)
        }
    }

    /// Passes over so many events.
    mutating func skip(_ events: Int) {
        if case .first(let selection, let behind) = algorithm { algorithm = .first(selection, behind: behind + events) }
    }
}

extension ChannelSelection1 {
    /// The channel of the event that `advance` arrived at last.
    func channelNow(_ channelMap: ChannelMap) -> ChannelIndex {
        var copy = self
        // 37 hops lead back to where they began.
        return copy.advance(by: 37, channelMap: channelMap)
    }
}

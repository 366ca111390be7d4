import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
import BluethroatVirtualTime

extension Central {
    /// Opens a channel on the connection there is.
    public func openChannel(_ spsm: SPSM, _ options: ChannelOptions) async throws(OperationFailure)
        -> ChannelDescription
    {
        guard let connection else { throw OperationFailure("there is no connection") }
        let id = try await order { host, now, actions throws(OrderError) in
            try host.openChannel(connection.id, to: spsm, options, at: now, into: &actions)
        }
        let channel: ChannelDescription = try await wait { event throws(OperationFailure) in
            switch event {
            case .channel(.opened(let channel)) where channel.id == id: return channel
            // The reason why the link ended says more.
            case .channel(.openFailed(id, .disconnected)): return nil
            case .channel(.openFailed(id, let failure)):
                throw OperationFailure("\(connection.peer) opened no channel to PSM \(spsm): \(failure.sentence)")
            default: return nil
            }
        }
        emit(.channelOpened(channel))
        return channel
    }

    /// Advertises under a name until a peer has opened a channel.
    public func awaitChannel(
        _ spsm: SPSM?,
        named name: String,
        _ options: ChannelOptions
    ) async throws(OperationFailure) -> ChannelDescription {
        let spsm = try await order { host, _, _ throws(OrderError) in
            try host.listen(on: spsm, ChannelListenerOptions(channel: options, maximumChannels: 1))
        }
        try await advertise(name)
        emit(.listening(spsm, name: name))
        var peers: [ConnectionDescription] = []
        while true {
            let channel: ChannelDescription? = try await wait { event throws(OperationFailure) in
                switch event {
                case .connected(let new):
                    peers.append(new)
                    return nil
                case .channel(.opened(let channel)): return .some(channel)
                case .disconnected: return .some(nil)
                case .advertisingEnded(.refused(let error)):
                    throw OperationFailure("the controller refused to advertise: \(error)", hciError: error.rawValue)
                default: return nil
                }
            }
            guard let channel else {
                // This peer did not want the channel; the next may.
                try await advertise(name)
                continue
            }
            if let peer = peers.last(where: { $0.id == channel.id.connection }) { adopt(peer) }
            emit(.channelOpened(channel))
            return channel
        }
    }

    private func advertise(_ name: String) async throws(OperationFailure) {
        try await order { host, now, actions throws(OrderError) in
            guard let interval = AdvertisingInterval(steps: 160) else { return }
            try host.startAdvertising(
                AdvertisingParameters(interval: interval),
                data: AdvertisingData([.flags([.generalDiscoverable, .brEDRNotSupported]), .completeLocalName(name)]),
                at: now,
                into: &actions
            )
        }
    }
}

extension ChannelOpenFailure {
    /// Why, and what helps where something does.
    var sentence: String {
        switch self {
        case .refused(.insufficientAuthentication), .refused(.insufficientEncryption):
            "it wants an encrypted link; pair with it first"
        case .refused(let refusal): "\(refusal) (0x\(String(refusal.rawValue, radix: 16)))"
        case .notUnderstood: "it does not know of such channels"
        case .timeout: "it did not answer in 30 s"
        case .malformedResponse: "its answer makes no sense"
        case .disconnected(let reason): "the connection is lost: \(reason)"
        }
    }
}

extension ChannelCloseReason {
    var sentence: String {
        switch self {
        case .closedHere: "closed here"
        case .closedByPeer: "closed by the peer"
        case .violation(let violation): "the peer broke a rule of L2CAP: \(violation)"
        case .disconnected(let reason): "the connection is lost: \(reason)"
        }
    }
}

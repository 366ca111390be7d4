import BluethroatHost
import BluethroatVirtualTime

/// The L2CAP channels of a simulated peripheral.
extension MockDevice {
    /// Accepts channels under the numbers of the specification.
    func listen(host: BluetoothHost) {
        for publication in spec.channels {
            guard let psm = SPSM(rawValue: publication.psm) else {
                MockLog.warn("\(publication.psm) is no PSM of an L2CAP channel: those are 1 to 255")
                continue
            }
            do {
                try host.listen(on: psm, ChannelListenerOptions(access: publication.security.access))
            } catch {
                MockLog.warn("\(spec.name ?? "a peripheral") cannot publish the PSM \(publication.psm): \(error)")
            }
        }
    }

    func handle(_ event: ChannelEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .opened(let description):
            let channel = CBML2CAPChannelMock(description, of: self)
            channels.withLock { $0.append(channel) }
            ask { $0.peripheral(spec, didOpen: channel) }
        case .received(let id, let bytes):
            guard let channel = channel(id) else { return }
            simulation?.home.call { channel.receive(bytes) }
        case .readyToSend(let id): channel(id)?.sendOn(host: host, at: now, into: &actions)
        case .closed(let id, _):
            guard let channel = channel(id) else { return }
            close([channel])
        case .requested, .openFailed, .reconfigured, .peerReconfigured: break
        }
    }

    /// The device is removed from the air. No event of the host reports its channels, so they are closed here.
    func closeChannels() { close(channels.current) }

    private func close(_ gone: [CBML2CAPChannelMock]) {
        channels.withLock { $0.removeAll { channel in gone.contains { $0 === channel } } }
        for channel in gone {
            channel.closed()
            ask { $0.peripheral(spec, didClose: channel) }
        }
    }

    private func channel(_ id: L2CAPChannelID) -> CBML2CAPChannelMock? { channels.current.first { $0.id == id } }
}

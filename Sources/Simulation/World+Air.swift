import AirPackets
import BluetoothValues
import LinkLayer
import RadioMedium
import VirtualTime

/// What goes on between the controllers' radios and the medium.
extension World {
    func endTransmission(_ id: TransmissionID) {
        deliveries.removeAll(keepingCapacity: true)
        let transmission = medium.end(id, into: &deliveries)
        // A sender that broke its frame off does not wait for its end.
        if let sender = device(of: transmission.radio), sender.transmission == id {
            sender.transmission = nil
            sender.rawRadio?.resume()
            if let controller = sender.controller {
                controller.transmitted(at: sender.drift.local(from: now), into: &sender.controllerActions)
                settle(sender)
            }
        }
        // Receivers may transmit in turn, but no frame can end before this call does.
        for index in deliveries.indices {
            let delivery = deliveries[index]
            digest.absorb(UInt64(delivery.receiver.rawValue) << 1 | (delivery.isDamaged ? 1 : 0))
            guard let receiver = device(of: delivery.receiver) else { continue }
            tap?.received(delivery, transmission, by: receiver.id)
            if let rawRadio = receiver.rawRadio { rawRadio.received(delivery.reception) }
            guard let controller = receiver.controller else { continue }
            controller.received(
                delivery.reception.seen(through: receiver.drift),
                at: receiver.drift.local(from: now),
                into: &receiver.controllerActions
            )
            settle(receiver)
        }
    }

    func carryOut(_ order: RadioOrder, radio: RadioID, of device: Device) {
        // A device that was removed while it was busy has no radio any more.
        guard !device.isRemoved else { return }
        breakOffTransmission(of: device)
        switch order {
        case .stop:
            medium.stopListening(radio)
        case .transmit(let channel, let phy, let power, let frame):
            transmit(frame, on: channel, phy: phy, power: power, radio: radio, of: device)
        case .listen(let channel, let phy, let accessAddress, let since, let until):
            let end = device.drift.world(from: until)
            let generation = medium.listen(
                radio,
                on: channel,
                phy: phy,
                syncWord: accessAddress.rawValue,
                from: device.drift.world(from: since),
                until: end
            )
            queue.schedule(.listeningEnd(radio, generation: generation), at: end)
        }
    }

    /// Puts a frame on the air now.
    func transmit(
        _ frame: [UInt8],
        on channel: ChannelIndex,
        phy: PHY,
        power: SignalStrength,
        radio: RadioID,
        of device: Device
    ) {
        let transmission = Transmission(
            radio: radio,
            channel: channel,
            phy: phy,
            power: device.transmitPower ?? power,
            syncWord: AirFrame.accessAddress(of: frame).rawValue,
            start: now,
            end: now + AirTime.span(ofFrame: frame, phy: phy),
            frame: frame
        )
        transmissionCount += 1
        digest.absorb(UInt64(bitPattern: now.nanoseconds))
        digest.absorb(UInt64(radio.rawValue) << 8 | UInt64(channel.index))
        digest.absorb(frame)
        tap?.transmitted(transmission, by: device.id)
        let id = medium.begin(transmission)
        device.transmission = id
        queue.schedule(.transmissionEnd(number: id.number), at: transmission.end)
    }

    func breakOffTransmission(of device: Device) {
        guard let transmission = device.transmission else { return }
        device.transmission = nil
        medium.breakOff(transmission, at: now)
    }
}

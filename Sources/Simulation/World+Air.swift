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
        // A frame that was broken off is no news to its sender.
        if let sender = device(radios[Int(transmission.radio.rawValue)]), sender.transmission == id {
            sender.transmission = nil
            sender.rawRadio?.resume()
            withController(of: transmission.radio) { controller, now, actions in
                controller.transmitted(at: now, into: &actions)
            }
        }
        // Receivers may transmit in turn, but nobody's frame can end before this call does.
        for index in deliveries.indices {
            let delivery = deliveries[index]
            digest.absorb(UInt64(delivery.receiver.rawValue) << 1 | (delivery.isDamaged ? 1 : 0))
            tap?.received(delivery, transmission, by: radios[Int(delivery.receiver.rawValue)])
            let receiver = device(radios[Int(delivery.receiver.rawValue)])
            receiver?.rawRadio?.received(delivery.reception)
            let drift = receiver?.drift ?? .none
            withController(of: delivery.receiver) { controller, now, actions in
                controller.received(delivery.reception.seen(through: drift), at: now, into: &actions)
            }
        }
    }

    func withController(
        of radio: RadioID,
        _ call: (Controller, Instant, inout ControllerActions) -> Void
    ) {
        guard let device = device(radios[Int(radio.rawValue)]), let controller = device.controller else { return }
        call(controller, device.drift.local(from: now), &device.controllerActions)
        settle(device)
    }

    func carryOut(_ order: RadioOrder, radio: RadioID, of device: Device) {
        // A device that was removed while it was busy has no radio any more.
        guard devices[Int(device.id.rawValue)] != nil else { return }
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

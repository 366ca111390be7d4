import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import BluethroatKeyFob
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

/// What can be seen of a workbench, as the API shows it.
extension Workbench {
    var deviceList: DeviceList {
        DeviceList(
            devices: entries.map { entry in
                let place = world.position(of: entry.id) ?? .origin
                return DeviceView(
                    device: Int(entry.id.rawValue),
                    name: entry.name,
                    kind: kind(of: entry),
                    x: Double(place.x) / 1000,
                    y: Double(place.y) / 1000,
                    range: range(of: entry.id).map { ($0 * 10).rounded() / 10 },
                    links: air.partners(of: entry.id, at: world.now).map { Int($0.rawValue) }
                )
            }
        )
    }

    private func kind(of entry: DeviceEntry) -> String {
        switch entry.role {
        case .keyFob(let fob): fob.look(in: world).kind.rawValue
        case .central: "central"
        case .phone: "phone"
        case .client: "client"
        case .device: "device"
        }
    }

    func fobView(_ id: DeviceID) -> FobView? {
        guard let entry = self[id], let fob = fob(id) else { return nil }
        let look = fob.look(in: world)
        let place = world.position(of: id) ?? .origin
        let partners = partners(of: id, with: look.connections.map(\.peer))
        return FobView(
            device: Int(id.rawValue),
            name: entry.name,
            kind: look.kind,
            time: world.now.seconds,
            isPowered: look.isPowered,
            address: look.address.map { "\($0)" },
            x: Double(place.x) / 1000,
            y: Double(place.y) / 1000,
            label: .init(text: look.label, colour: look.labelColour),
            keys: .init(left: look.keys.contains(.left), right: look.keys.contains(.right)),
            leds: .init(left: look.leftLED, right: look.rightLED, alert: look.alertLED),
            tones: look.tones,
            alert: "\(look.alert)",
            battery: look.battery,
            reportedBattery: look.reportedBattery,
            transmitPower: Int(look.transmitPower),
            advertising: .init(isOn: look.isAdvertising, isEnabled: look.canAdvertise),
            accelerometer: .init(
                isEnabled: look.isSensing,
                x: Int(look.sent.x),
                y: Int(look.sent.y),
                z: Int(look.sent.z)
            ),
            tilt: .init(x: look.tilt[0], y: look.tilt[1], z: look.tilt[2]),
            connections: zip(look.connections, partners).map { connection, partner in
                FobView.Peer(
                    peer: "\(connection.peer)",
                    interval: connection.intervalMilliseconds,
                    latency: connection.latency,
                    isEncrypted: connection.isEncrypted,
                    signalStrength: partner.flatMap { world.strength(from: $0, at: id) },
                    subscriptions: connection.subscriptions.map { $0.assignedName ?? "\($0)" }
                )
            }
        )
    }

    /// Which devices the peers of a fob are. The address of an external host is unknown; if only one is left it is
    /// clear.
    private func partners(of id: DeviceID, with peers: [DeviceAddress]) -> [DeviceID?] {
        var rest = air.partners(of: id, at: world.now)
        var found: [DeviceID?] = peers.map { peer in
            guard
                let index = rest.firstIndex(where: { partner in
                    world.perform(on: partner) { host, _, _ in host.identity?.address == peer } ?? false
                })
            else { return nil }
            return rest.remove(at: index)
        }
        let unknown = found.indices.filter { found[$0] == nil }
        if unknown.count == 1, rest.count == 1 { found[unknown[0]] = rest[0] }
        return found
    }

    func centralView(_ id: DeviceID) -> CentralView? {
        guard let central = central(id) else { return nil }
        return CentralView(
            central: Int(id.rawValue),
            isScanning: central.isScanning,
            connecting: central.target.map { "\($0)" },
            connections: central.links.map { link in
                CentralView.Connection(
                    address: "\(link.peer)",
                    since: link.since.seconds,
                    interval: link.parameters.interval.span.seconds * 1000,
                    latency: Int(link.parameters.latency.events),
                    mtu: link.mtu,
                    isEncrypted: link.security.isEncrypted,
                    isAuthenticated: link.security.isAuthenticated,
                    isBonded: link.isBonded,
                    signalStrength: link.signalStrength.map { Int($0.dBm) },
                    isDiscovered: link.database != nil && link.isLabelled,
                    subscriptions: link.subscriptions.keys.map { Int($0.rawValue) }.sorted(),
                    values: link.history.sorted { $0.key < $1.key }.compactMap { handle, samples in
                        samples.last.map { SampleView(link, handle, $0, isPushed: false) }
                    },
                    written: link.written.sorted { $0.key < $1.key }.map { WrittenView(link, $0.key, $0.value) },
                    question: link.question.map { CentralView.Question($0) }
                )
            }
        )
    }

    func sightings(of id: DeviceID) -> SightingList? {
        central(id).map {
            SightingList(time: world.now.seconds, sightings: $0.sightings.entries.map { SightingView($0) })
        }
    }
}

extension CentralLink {
    /// What a value of an attribute says, where its format is known.
    fileprivate func text(of value: [UInt8], at handle: AttributeHandle) -> String? {
        format(of: handle)?.text(of: value) ?? DecodedValue.text(of: value, uuid: uuid(at: handle))
    }

    fileprivate func format(of handle: AttributeHandle) -> PresentedValue? {
        presentationFormat(of: handle).flatMap { PresentedValue(format: $0) }
    }
}

extension WrittenView {
    init(_ link: CentralLink, _ handle: AttributeHandle, _ written: CentralLink.Written) {
        self.init(
            handle: Int(handle.rawValue),
            time: written.sample.time.seconds,
            value: written.sample.value.hex,
            text: link.text(of: written.sample.value, at: handle),
            withResponse: written.isConfirmed
        )
    }
}

extension SampleView {
    init(_ link: CentralLink, _ handle: AttributeHandle, _ sample: CentralLink.Sample, isPushed: Bool) {
        self.init(
            address: "\(link.peer)",
            handle: Int(handle.rawValue),
            time: sample.time.seconds,
            value: sample.value.hex,
            text: link.text(of: sample.value, at: handle),
            numbers: link.format(of: handle)?.number(of: sample.value).map { [$0] }
                ?? DrawableValue.numbers(of: sample.value, uuid: link.uuid(at: handle)),
            isPushed: isPushed
        )
    }
}

extension CentralView.Question {
    init(_ question: PairingQuestion) {
        switch question {
        case .consent: self.init(kind: .consent)
        case .comparison(let digits): self.init(kind: .comparison, digits: "\(digits)")
        case .passkeyShown(let digits): self.init(kind: .passkeyShown, digits: "\(digits)")
        case .passkeyWanted: self.init(kind: .passkeyWanted)
        }
    }
}

extension DatabaseView {
    init(_ database: RemoteDatabase, of link: CentralLink) {
        self.init(
            address: "\(link.peer)",
            services: database.services.map { service in
                Service(
                    uuid: "\(service.uuid)",
                    name: service.uuid.assignedName(as: .service) ?? "Service \(service.uuid)",
                    isPrimary: service.isPrimary,
                    first: Int(service.handles.lowerBound.rawValue),
                    last: Int(service.handles.upperBound.rawValue),
                    characteristics: service.characteristics.map { characteristic in
                        Characteristic(
                            uuid: "\(characteristic.uuid)",
                            name: characteristic.uuid.assignedName(as: .characteristic)
                                ?? "Characteristic \(characteristic.uuid)",
                            handle: Int(characteristic.valueHandle.rawValue),
                            properties: characteristic.properties.names,
                            descriptors: characteristic.descriptors.map { descriptor in
                                let value = link.history[descriptor.handle]?.last?.value
                                return Descriptor(
                                    uuid: "\(descriptor.uuid)",
                                    name: descriptor.uuid.assignedName(as: .descriptor)
                                        ?? "Descriptor \(descriptor.uuid)",
                                    handle: Int(descriptor.handle.rawValue),
                                    value: value?.hex,
                                    text: value.flatMap { DecodedValue.text(of: $0, uuid: descriptor.uuid) }
                                )
                            }
                        )
                    }
                )
            }
        )
    }
}

extension LogView.Entry {
    init(_ entry: OperationLog.Entry) {
        self.init(
            number: entry.number,
            began: entry.began.seconds,
            ended: entry.ended?.seconds,
            kind: entry.kind.rawValue,
            peer: entry.peer.map { "\($0)" },
            handle: entry.handle.map { Int($0.rawValue) },
            uuid: entry.uuid.map { "\($0)" },
            name: entry.uuid?.assignedName,
            value: entry.value?.hex,
            text: entry.value.flatMap { DecodedValue.text(of: $0, uuid: entry.uuid) },
            outcome: entry.outcome,
            hasFailed: entry.hasFailed
        )
    }
}

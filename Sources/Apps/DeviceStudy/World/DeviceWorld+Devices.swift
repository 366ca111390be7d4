import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatOverflowArea
import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime
import CoreBluetooth
import Foundation

/// Each kind of device.
extension DeviceWorld {
    func addDevice(_ group: DeviceGroup, _ number: Int, at place: Position, _ random: inout SeededRandom) -> DeviceID {
        let label = "\(group.name) \(number)"
        switch group.kind {
        case .advertiser: return addAdvertiser(group, label, at: place, &random)
        case .scanner: return addScanner(group, label, at: place)
        case .peripheral: return addPeripheral(group, label, at: place, &random)
        case .central: return addCentral(group, number, label, at: place, random)
        case .keyfob: return addKeyFob(group, label, at: place)
        case .keyfobPhone, .sensortag, .ibeacon, .overflowBeacon: return addPhone(group, label, at: place, &random)
        case .overflowListener: return addListener(label, at: place)
        case .moneydrop, .moneydropPayer: return addMoneyDrop(group, number, label, at: place, &random)
        case .textServer, .textClient: return addText(group, label, at: place, &random)
        case .desk: return addDesk(label, at: place, &random)
        case .loginPhone: return addLoginPhone(group, number, label, at: place, &random)
        }
    }

    // MARK: Hosts of their own

    private func addAdvertiser(
        _ group: DeviceGroup,
        _ label: String,
        at place: Position,
        _ random: inout SeededRandom
    ) -> DeviceID {
        let kind: AdvertisingParameters.Kind =
            switch settings.word("\(group.name).type") {
            case "connectable": .connectable
            case "scannable": .scannable
            default: .nonConnectable
            }
        let interval = advertisingInterval(group)
        let size = settings.whole("\(group.name).payload")
        // One structure of so many bytes in all, its length and type included.
        let data = AdvertisingData(
            size < 2 ? [] : [AdvertisingData.Structure(.manufacturerSpecific, random.bytes(size - 2))]
        )
        let app = AdvertiserApp(
            AdvertisingParameters(kind, interval: interval),
            data: data,
            power: power(group),
            from: .zero + random.span(upTo: interval.span)
        )
        return world.addDevice(named: label, at: place, application: app)
    }

    private func addScanner(_ group: DeviceGroup, _ label: String, at place: Position) -> DeviceID {
        let app = ScannerApp(
            ScanParameters(
                active: settings.word("\(group.name).active") == "yes",
                timing: timing("\(group.name).interval", "\(group.name).window")
            ),
            power: power(group),
            from: start
        )
        return world.addDevice(named: label, at: place, application: app)
    }

    private func addPeripheral(
        _ group: DeviceGroup,
        _ label: String,
        at place: Position,
        _ random: inout SeededRandom
    ) -> DeviceID {
        let value = random.bytes(settings.whole("\(group.name).value"))
        let characteristic = CharacteristicDefinition(0xFFF1, properties: [.read, .write, .notify], value: value)
        let interval = advertisingInterval(group)
        let app = AdvertiserApp(
            AdvertisingParameters(.connectable, interval: interval),
            data: AdvertisingData([.flags([.generalDiscoverable, .brEDRNotSupported])]),
            services: [ServiceDefinition(0xFFF0, characteristics: [characteristic])],
            value: value,
            power: power(group),
            from: .zero + random.span(upTo: interval.span)
        )
        var host = HostConfiguration(seed: world.seed, device: UInt64(members.count))
        host.asksForLongPackets = settings.word("\(group.name).long-packets") == "yes"
        return world.addDevice(named: label, host: host, at: place, application: app)
    }

    private func addCentral(
        _ group: DeviceGroup,
        _ number: Int,
        _ label: String,
        at place: Position,
        _ random: SeededRandom
    ) -> DeviceID {
        let name = group.name
        let peer = peer(of: group, number)?.address
        let steps = UInt16((settings.number("\(name).interval") / 0.001_25).rounded())
        // A supervision timeout has to be longer than two intervals.
        let timeout = UInt16(max(100, min(3_200, (settings.number("\(name).interval") * 600).rounded(.up))))
        let range = ConnectionParameterRange(
            minimumSteps: steps,
            maximumSteps: steps,
            latencyEvents: 0,
            timeoutSteps: timeout
        )
        var own = CentralApp.Settings(
            // Where there is no peer nobody has this address, and the attempt goes on to the end.
            peer: peer ?? DeviceAddress(value: 0, kind: .public),
            beginning: start,
            measuring: start
        )
        own.traffic = CentralApp.Traffic(rawValue: settings.word("\(name).traffic")) ?? .none
        own.value = Array(repeating: 0x5A, count: settings.whole("\(name).value"))
        own.connect = ConnectParameters(
            connection: range ?? .usual,
            timing: timing("\(name).scan-interval", "\(name).scan-window"),
            untilAnswered: true
        )
        own.power = power(group)
        let hold = settings.number("\(name).hold")
        own.hold = hold > 0 ? Self.span(hold) : nil
        let app = CentralApp(own, random: random)
        centrals.append(app)
        var host = HostConfiguration(seed: world.seed, device: UInt64(members.count))
        host.maximumATTMTU = settings.whole("\(name).mtu")
        host.asksForLongPackets = settings.word("\(name).long-packets") == "yes"
        host.asksForLE2M = settings.word("\(name).phy") == "2M"
        return world.addDevice(named: label, host: host, at: place, application: app)
    }

    /// The device of the group `to` for this number, by turns; nil if that group is empty.
    func peer(of group: DeviceGroup, _ number: Int) -> Member? {
        guard group.kind.peers != nil else { return nil }
        let peers = membersByGroup[settings.word("\(group.name).to")] ?? []
        return peers.isEmpty ? nil : peers[number % peers.count]
    }

    private func addKeyFob(_ group: DeviceGroup, _ label: String, at place: Position) -> DeviceID {
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        options.advertisingDuration = .seconds(3_000_000)
        options.advertisingInterval = advertisingInterval(group)
        return world.addDevice(
            named: label,
            controller: .core40(publicAddress: KeyFobDevice.address(number: keyFobCount), company: .texasInstruments),
            host: KeyFobDevice.hostConfiguration(seed: world.seed, device: UInt64(members.count)),
            at: place,
            application: KeyFobDevice(options: options)
        )
    }

    // MARK: Phones

    private func addPhone(
        _ group: DeviceGroup,
        _ label: String,
        at place: Position,
        _ random: inout SeededRandom
    ) -> DeviceID {
        var phoneSettings = PhoneSettings()
        phoneSettings.name = label
        if group.kind == .overflowBeacon {
            phoneSettings.backgroundAdvertisingInterval = advertisingInterval(group)
            phoneSettings.systemVersion = settings.whole("\(group.name).ios")
        }
        if group.kind == .keyfobPhone {
            phoneSettings.advertisingInterval = advertisingInterval(group)
            // Those of the fob's profiles.
            phoneSettings.allowsReservedServices = true
        }
        let phone = Phone(named: label, in: world, at: place, settings: phoneSettings)
        let isBackground = group.kind == .overflowBeacon
        let app = phone.addApp(backgroundModes: isBackground ? .bluetoothPeripheral : [])
        if isBackground {
            app.rangesBeacons = true
            app.enterBackground()
        }
        let bytes = random.bytes(16)
        let rotation = isBackground ? settings.number("\(group.name).rotation") : 0
        // They do not all begin in the same instant.
        world.schedule(at: world.now + random.span(upTo: .seconds(1))) { [unowned self] world in
            apps.append(
                app.run {
                    Self.makeApp(group.kind, label, bytes, rotation: rotation, clock: .of(world))
                }
            )
        }
        return phone.device
    }

    private static func makeApp(
        _ kind: DeviceKind,
        _ label: String,
        _ bytes: [UInt8],
        rotation: Double,
        clock: AppClock
    ) -> AnyObject {
        switch kind {
        case .keyfobPhone: return PlayedFob(clock: clock, random: bytes)
        case .sensortag: return SensorTag(clock: clock, name: label)
        case .ibeacon:
            let uuid = UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                    bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                )
            )
            return BeaconPhone(region: BeaconRegion(proximityUUID: uuid, identifier: "study", major: 1, minor: 1))
        default:
            let manager = BackgroundBeaconManager(clock: clock)
            manager.rotationPeriodSecs = rotation
            manager.startAdvertising(beaconBytes: Array(bytes.prefix(4)))
            return manager
        }
    }

    private func addListener(_ label: String, at place: Position) -> DeviceID {
        let phone = Phone(named: label, in: world, at: place)
        let app = phone.addApp()
        world.schedule(at: start) { [unowned self] _ in apps.append(app.run { OverflowScan() }) }
        return phone.device
    }

    // MARK: Values

    private func advertisingInterval(_ group: DeviceGroup) -> AdvertisingInterval {
        let steps = UInt16((settings.number("\(group.name).interval") / 0.000_625).rounded())
        guard let interval = AdvertisingInterval(steps: steps) else {
            preconditionFailure("a study's file is checked for advertising intervals from 20 ms to 10.24 s")
        }
        return interval
    }

    private func timing(_ interval: String, _ window: String) -> ScanTiming {
        let steps = [interval, window].map { UInt16((settings.number($0) / 0.000_625).rounded()) }
        guard let timing = ScanTiming(intervalSteps: steps[0], windowSteps: steps[1]) else {
            preconditionFailure("a study's file is checked for windows within intervals from 2.5 ms to 10.24 s")
        }
        return timing
    }

    private func power(_ group: DeviceGroup) -> SignalStrength {
        SignalStrength(dBm: Int8(settings.whole("\(group.name).power")))
    }
}

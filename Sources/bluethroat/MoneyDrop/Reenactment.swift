#if canImport(Phones)
    import AppTime
    import ArgumentParser
    import CoreBluetooth
    import Foundation
    import KeyFobConsole
    import LiveLoop
    import MoneyDrop
    import Phones
    import PhoneService
    import RadioMedium
    import Simulation
    import Stage
    import VirtualTime

    /// What went wrong with the first MoneyDrop, as its makers have told.
    enum Pitfall: String, ExpressibleByArgument, CaseIterable {
        case writeType = "write-type"
        case photo
        case background
    }

    /// Shows a pitfall with two phones that behave as those did, in virtual time.
    enum Reenactment {
        static func play(_ pitfall: Pitfall, capture: String?, seed: UInt64, isJSON: Bool) throws(CommandFailure) {
            var captures: Captures?
            if let capture {
                do throws(CaptureError) {
                    captures = try Captures(air: capture, log: nil, epoch: Captures.epochNow) { _ in }
                } catch {
                    throw CommandFailure("\(error)")
                }
            }
            let scene = LiveScene(seed: seed, isVirtual: true, captures: captures, drawsSecrets: false)
            let world = scene.stage.world
            let story = Story { line in
                let seconds = String(format: "%.3f", Double(world.now.nanoseconds) / 1e9)
                guard isJSON else { return StandardOutput.write("\(seconds) s  \(line)") }
                var object = JSONLine(event: "reenacted", time: world.now)
                object.add("pitfall", pitfall.rawValue)
                object.add("text", line)
                StandardOutput.write(object.text)
            }
            let recipientPhone = scene.addPhone(named: "recipient", at: .metres(x: 1))
            let senderPhone = scene.addPhone(named: "sender", at: .metres(x: 3))
            func install(_ phone: Phone, _ make: @escaping (AppClock) -> AnyObject) -> PhoneApp {
                var app: PhoneApp?
                let installed = phone.install(
                    named: "MoneyDrop",
                    backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]
                ) { _ in app.map { make(AppClock.of(world, for: $0)) } }
                app = installed
                installed.launch()
                return installed
            }
            let recipient = install(recipientPhone) { FirstRecipient(pitfall, $0, story) }
            func run(_ seconds: Int64) {
                world.doErrands()
                scene.advance(by: .seconds(seconds))
            }
            switch pitfall {
            case .writeType, .photo:
                let sender = install(senderPhone) { FirstSender(pitfall, $0, story) }
                run(60)
                withExtendedLifetime((recipient, sender)) {}
            case .background:
                run(1)
                recipient.enterBackground()
                story.tell("the recipient's app is in the background: its service is a bit in the overflow area now")
                // Out of earshot until both are there.
                scene.stage.move(senderPhone.device, to: .metres(x: 100_000))
                let sender = install(senderPhone) { FirstSender(pitfall, $0, story) }
                run(1)
                sender.enterBackground()
                story.tell("the sender's app is in the background, and scans for the service")
                run(10)
                scene.stage.move(senderPhone.device, to: .metres(x: 3))
                run(60)
                story.tell("a minute beside each other, and neither has heard of the other")
                sender.enterForeground()
                story.tell("the sender's app comes to the screen")
                run(10)
            }
            scene.finish()
        }
    }

    /// What happens, line by line.
    private final class Story {
        let tell: (String) -> Void

        init(_ tell: @escaping (String) -> Void) { self.tell = tell }
    }

    /// A recipient of the first days: it takes receipts without answering, or not at all while it gives its photo.
    private final class FirstRecipient: NSObject, CBPeripheralManagerDelegate, StreamDelegate {
        private let pitfall: Pitfall
        private let clock: AppClock
        private let story: Story
        private var manager: CBPeripheralManager!
        private var psm: CBMutableCharacteristic?
        private var channel: CBL2CAPChannel?
        private var rest = Data()
        static let photoLength = 200_000

        init(_ pitfall: Pitfall, _ clock: AppClock, _ story: Story) {
            self.pitfall = pitfall
            self.clock = clock
            self.story = story
            super.init()
            manager = CBPeripheralManager(delegate: self, queue: nil)
        }

        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
            guard peripheral.state == .poweredOn else { return }
            if pitfall == .photo { return peripheral.publishL2CAPChannel(withEncryption: false) }
            publish(0)
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager,
            didPublishL2CAPChannel PSM: CBL2CAPPSM,
            error: (any Error)?
        ) { publish(PSM) }

        private func publish(_ number: CBL2CAPPSM) {
            let service = CBMutableService(type: MoneyDropUUIDs.service, primary: true)
            let details = CBMutableCharacteristic(
                type: MoneyDropUUIDs.details,
                properties: .read,
                value: Data("Anna".utf8),
                permissions: .readable
            )
            let message = CBMutableCharacteristic(
                type: MoneyDropUUIDs.message,
                properties: [.write, .writeWithoutResponse],
                value: nil,
                permissions: .writeable
            )
            let psm = CBMutableCharacteristic(
                type: MoneyDropUUIDs.psm,
                properties: .read,
                value: Data([UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]),
                permissions: .readable
            )
            service.characteristics = [details, message, psm]
            manager.add(service)
            manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [MoneyDropUUIDs.service]])
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
            switch pitfall {
            case .writeType:
                story.tell("recipient: a message; ours come without a response, so none is given")
            default:
                story.tell("recipient: a message while the photo is under way; it is ignored, without an answer")
            }
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
        {
            guard let channel else { return }
            story.tell("recipient: sends a photo of \(Self.photoLength) bytes")
            self.channel = channel
            rest = Data(repeating: 0x5A, count: Self.photoLength)
            for stream in [channel.inputStream, channel.outputStream] as [Stream] {
                stream.delegate = self
                stream.schedule(in: .main, forMode: .default)
                stream.open()
            }
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            guard let channel else { return }
            if event == .endEncountered || event == .errorOccurred {
                story.tell("recipient: the channel has ended, and not all has left")
                return self.channel = nil
            }
            while !rest.isEmpty, channel.outputStream.hasSpaceAvailable {
                let count = rest.withUnsafeBytes { bytes in
                    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
                    return channel.outputStream.write(start, maxLength: bytes.count)
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// A sender of the first days: it writes as it always does, and takes silence for failure.
    private final class FirstSender: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, StreamDelegate {
        private let pitfall: Pitfall
        private let clock: AppClock
        private let story: Story
        private var manager: CBCentralManager!
        private var peripheral: CBPeripheral?
        private var message: CBCharacteristic?
        private var details: CBCharacteristic?
        private var channel: CBL2CAPChannel?
        private var received = 0
        private var isWriting = false

        init(_ pitfall: Pitfall, _ clock: AppClock, _ story: Story) {
            self.pitfall = pitfall
            self.clock = clock
            self.story = story
            super.init()
            manager = CBCentralManager(delegate: self, queue: nil)
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: [MoneyDropUUIDs.service]) }
        }

        func centralManager(
            _ central: CBCentralManager,
            didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            guard self.peripheral == nil else { return }
            story.tell("sender: found a recipient")
            self.peripheral = peripheral
            peripheral.delegate = self
            central.stopScan()
            if pitfall != .background { central.connect(peripheral) }
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            peripheral.discoverServices([MoneyDropUUIDs.service])
        }

        func centralManager(
            _ central: CBCentralManager,
            didDisconnectPeripheral peripheral: CBPeripheral,
            error: (any Error)?
        ) { story.tell("sender: the connection is gone\(error.map { ": \($0.localizedDescription)" } ?? "")") }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            if let service = peripheral.services?.first { peripheral.discoverCharacteristics(nil, for: service) }
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didDiscoverCharacteristicsFor service: CBService,
            error: (any Error)?
        ) {
            let found = service.characteristics ?? []
            message = found.first { $0.uuid == MoneyDropUUIDs.message }
            details = found.first { $0.uuid == MoneyDropUUIDs.details }
            switch pitfall {
            case .writeType:
                write()
                if let details {
                    story.tell("sender: asks for the details, too, behind the message")
                    peripheral.readValue(for: details)
                }
                _ = clock.once(after: 10) { [weak self] in self?.look() }
            default: found.first { $0.uuid == MoneyDropUUIDs.psm }.map { peripheral.readValue(for: $0) }
            }
        }

        private func look() {
            if isWriting { story.tell("sender: ten seconds, no answer and no delegate call; nothing else is answered") }
        }

        private func write() {
            guard let message, let peripheral else { return }
            story.tell("sender: writes the message with a response, without a look at what the characteristic takes")
            isWriting = true
            peripheral.writeValue(Data("money sent".utf8), for: message, type: .withResponse)
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didWriteValueFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            isWriting = false
            story.tell(error.map { "sender: the write fails: \($0.localizedDescription)" } ?? "sender: it is answered")
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didUpdateValueFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            guard characteristic.uuid == MoneyDropUUIDs.psm, let value = characteristic.value, value.count == 2 else {
                return
            }
            peripheral.openL2CAPChannel(CBL2CAPPSM(value[0]) | CBL2CAPPSM(value[1]) << 8)
        }

        func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
            guard let channel else { return }
            self.channel = channel
            for stream in [channel.inputStream, channel.outputStream] as [Stream] {
                stream.delegate = self
                stream.schedule(in: .main, forMode: .default)
                stream.open()
            }
            _ = clock.once(after: 0.3) { [weak self] in self?.write() }
            _ = clock.once(after: 0.8) { [weak self] in self?.giveUp() }
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while let input = channel?.inputStream, input.hasBytesAvailable {
                let count = input.read(&buffer, maxLength: buffer.count)
                guard count > 0 else { return }
                received += count
            }
        }

        private func giveUp() {
            guard isWriting, let channel else { return }
            story.tell("sender: the message is not answered, so something must be wrong; closes the channel")
            channel.inputStream.close()
            channel.outputStream.close()
            self.channel = nil
            story.tell("sender: has \(received) of \(FirstRecipient.photoLength) bytes, a truncated photo")
        }
    }
#endif

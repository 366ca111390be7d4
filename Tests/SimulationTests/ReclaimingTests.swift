import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatLinkLayer
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatRadioMedium
@testable import BluethroatSimulation

@Suite("A world gives back what devices leave")
struct ReclaimingTests {
    /// `make nightly` has 100,000 of them.
    private static let clientCount =
        ProcessInfo.processInfo.environment["BLUETHROAT_CLIENTS"].flatMap(Int.init) ?? 6_000

    /// How much there is of everything that a world keeps.
    private static func size(of world: World) -> [Int] {
        let medium = world.state.medium
        return [
            world.state.devices.placeCount, world.state.owners.count, world.state.queue.count, medium.radios.placeCount,
            medium.losses.count, medium.channels.reduce(0) { $0 + $1.listeners.placeCount },
            medium.channels.reduce(0) { $0 + $1.onAir.count }, medium.channels.reduce(0) { $0 + $1.receptions.count },
        ]
    }

    /// Bytes of the process that are in memory, other tests' included.
    private static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .ascii).split(separator: " ")
        return try #require(Int(fields[1])) * 4_096
    }

    private struct Weak {
        weak var controller: Controller?
    }

    /// A client of the HCI port: what it sends, and how long it stays.
    private static let commands: [Command] = [
        .setEventMask(SetEventMask(mask: EventMask(rawValue: .max))),
        .leSetEventMask(LESetEventMask(mask: LEEventMask(rawValue: 0x1F))),
        .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)),
    ]

    @Test("Clients that attach to the HCI port, advertise and leave leave it as large as before")
    func clients() throws {
        let world = World(seed: 3)
        world.setLossEverywhere(.percent(10))
        let scanner = Recorder()
        let resident = world.addDevice(named: "resident", application: scanner)
        world.run(for: .seconds(1))
        world.perform(on: resident) { host, now, actions in try? host.startScanning(at: now, into: &actions) }
        world.run(for: .seconds(1))
        let packets = Self.commands.map { $0.packet() }
        var answers = 0, addresses: Set<DeviceAddress> = [], sample: [Weak] = []
        func attach(_ count: Int) {
            for _ in 0..<count {
                let id = world.addController(named: "client", at: .metres(x: 3)) { _ in answers += 1 }
                if let address = world.publicAddress(of: id) { addresses.insert(address) }
                for packet in packets { world.receive(hci: packet, for: id) }
                world.run(for: .microseconds(2_500))
                if sample.count < 100 { sample.append(Weak(controller: world.device(id)?.controller)) }
                world.remove(id)
            }
        }
        attach(1_000)
        // Times of the resident's own have come and gone; those of clients have not come yet.
        world.run(for: .seconds(20))
        let before = Self.size(of: world), bytes = try Self.residentBytes()
        scanner.forget()
        attach(Self.clientCount)
        let heard = scanner.count { if case .advertisingReport = $0 { true } else { false } }
        scanner.forget()
        world.run(for: .seconds(20))
        scanner.forget()
        #expect(Self.size(of: world) == before)
        // Less than a controller of each client would take; other tests may need some, too.
        #expect(try Self.residentBytes() - bytes < (Self.clientCount << 10) + (8 << 20))
        #expect(sample.count == 100 && sample.allSatisfy { $0.controller == nil })
        #expect(answers == (1_000 + Self.clientCount) * packets.count)
        // Each is a client of its own, and on the air. Of 100,000 addresses with 32 drawn bits some three may be equal.
        #expect(1_000 + Self.clientCount - addresses.count <= Self.clientCount / 10_000)
        #expect(heard > Self.clientCount / 10)
        #expect(world.nextID.rawValue == UInt32(1_001 + Self.clientCount) && world.deviceIDs == [resident])
    }

    @Test("While clients come and go without time passing between, the queue stays small")
    func queue() {
        let world = World(seed: 1)
        for _ in 0..<5_000 {
            let id = world.addController(named: "client") { _ in }
            for command in Self.commands { world.receive(hci: command.packet(), for: id) }
            world.remove(id)
        }
        #expect(world.state.queue.count <= 130 && world.state.devices.placeCount == 0)
        world.run(for: .seconds(30))
        #expect(world.state.queue.isEmpty && world.transmissionCount == 0)
    }

    @Test("The ID of a device that has left is refused, and names no device that comes later")
    func stale() {
        let world = World(seed: 1)
        let stays = world.addController(named: "stays") { _ in }
        var packets = 0
        let old = world.addController(named: "old") { _ in }
        let raw = world.addRawRadio(named: "raw")
        let oldAddress = world.publicAddress(of: old)
        world.remove(raw.id)
        world.remove(old)
        let new = world.addController(named: "new") { _ in packets += 1 }
        #expect(new.arrival.place == old.arrival.place && new != old)
        #expect(new.description == "device 3" && world.name(of: new) == "new")
        #expect(world.publicAddress(of: new) != oldAddress)
        for id in [old, DeviceID(rawValue: old.rawValue), raw.id, DeviceID(rawValue: 99)] {
            world.receive(hci: Command.reset.packet(), for: id)
            world.move(id, to: .metres(x: 7))
            world.remove(id)
            #expect(world.name(of: id) == nil && world.position(of: id) == nil && world.publicAddress(of: id) == nil)
        }
        #expect(packets == 0 && world.position(of: new) == .origin && world.deviceIDs == [stays, new])
        // A number that was read from somewhere finds its device wherever that is kept.
        #expect(world.name(of: DeviceID(rawValue: 3)) == "new")
        world.receive(hci: Command.reset.packet(), for: DeviceID(rawValue: 3))
        #expect(packets == 1)
        // A radio of a device that has left says and hears nothing.
        raw.listen(on: ChannelIndex.advertising[0])
        raw.stop()
        #expect(world.transmissionCount == 0)
    }

    @Test(
        "A device that leaves in the middle of a frame is not called any more, and its peers hear the frame's rest as noise"
    )
    func leavesInFrame() {
        let world = World(seed: 1)
        let listener = world.addRawRadio(named: "listener", at: .metres(x: 1))
        listener.listen(on: ChannelIndex.advertising[0])
        let sender = world.addRawRadio(named: "sender")
        let frame = RawFrame(
            accessAddress: .advertising,
            pdu: [2, 30] + [UInt8](repeating: 7, count: 30),
            crcInit: .advertising
        )
        sender.transmit(frame, on: ChannelIndex.advertising[0])
        world.run(for: .microseconds(200))
        world.remove(sender.id)
        let other = world.addRawRadio(named: "other", at: .metres(x: 2))
        other.transmit(frame, on: ChannelIndex.advertising[1])
        world.run(for: .milliseconds(1))
        #expect(listener.takeHeard().map(\.hasValidCRC) == [false])
        #expect(Self.size(of: world).suffix(2) == [0, 0])
        #expect(world.device(sender.id) == nil && world.device(other.id)?.state.transmission == nil)
    }
}

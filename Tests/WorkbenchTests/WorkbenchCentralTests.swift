import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@Suite("A central on a workbench")
struct WorkbenchCentralTests {
    private static let battery = AttributeHandle(rawValue: 0x2F)!
    private static let keys = AttributeHandle(rawValue: 0x47)!

    @Test("It hears who is there while it scans, and not before or after")
    func scanning() throws {
        let troupe = Troupe()
        let id = troupe.workbench.addCentral()
        let central = try #require(troupe.workbench.central(id))
        troupe.run(for: .seconds(2))
        #expect(central.sightings.entries.isEmpty)
        _ = troupe.order(id) { $0.scan(true, host: $1, at: $2, into: &$3) }
        troupe.run(for: .seconds(2))
        let entry = try #require(central.sightings.entries.first)
        #expect(entry.localName == "Keyfobdemo")
        #expect(entry.address == troupe.address)
        _ = troupe.order(id) { $0.scan(false, host: $1, at: $2, into: &$3) }
        troupe.run(for: .milliseconds(100))
        let count = central.sightingCount
        troupe.run(for: .seconds(2))
        #expect(central.sightingCount == count)
        #expect(central.log.entries.map(\.outcome) == ["started", "stopped"])
    }

    @Test("It connects, discovers, reads, is told of keys, and keeps what it was told")
    func working() throws {
        let troupe = Troupe()
        let (id, central) = try troupe.connectedCentral()
        let value = try troupe.wait(id) { central, host, now, actions, answer in
            central.read(Self.battery, of: troupe.address, host: host, at: now, into: &actions, answer)
        }
        #expect(value == [100])
        let subscription = try troupe.wait(id) { central, host, now, actions, answer in
            central.subscribe(true, to: Self.keys, of: troupe.address, host: host, at: now, into: &actions, answer)
        }
        #expect(subscription == .notifications)
        troupe.workbench.fob(troupe.fob)?.hold([.left, .right], in: troupe.workbench.world)
        troupe.run(for: .seconds(1))
        let link = try #require(central.links.first)
        #expect(link.history[Self.keys]?.last?.value == [3])
        #expect(link.uuid(at: Self.keys) == BluetoothUUID(0xFFE1))
        #expect(link.signalStrength != nil)
        let kinds = central.log.entries.map(\.kind)
        #expect(kinds.starts(with: [.connect]) && kinds.last == .notification)
        #expect(kinds.contains(.discover) && kinds.contains(.subscribe))
        // The fob takes no longer PDUs than those that a connection begins with.
        #expect(link.mtu == 23 && !kinds.contains(.mtu))
        #expect(central.log.entries.allSatisfy { ($0.ended ?? .zero) >= $0.began })
    }

    @Test("An MTU that changes is in the log")
    func mtu() throws {
        var options = KeyFobOptions()
        options.attMTU = 185
        let (_, central) = try Troupe(options: options).connectedCentral()
        #expect(central.links.first?.mtu == 185)
        #expect(central.log.entries.filter { $0.kind == .mtu }.map(\.outcome) == ["185 bytes"])
    }

    @Test("What is found is described: names that characteristics give themselves have been read when it is there")
    func descriptions() throws {
        let troupe = Troupe()
        let (id, central) = try troupe.connectedCentral()
        let link = try #require(central.links.first)
        #expect(link.isLabelled)
        let enable = try #require(
            link.database?.services.flatMap(\.characteristics).first { $0.uuid == BluetoothUUID(0xFFA1) }
        )
        let name = try #require(enable.descriptors.first { $0.uuid == BluetoothUUID(0x2901) })
        #expect(link.history[name.handle]?.last?.value == Array("Accel Enable".utf8))
        // Whoever asks again while it is read hears of it, too; and whoever goes, goes with an answer.
        var answers: [Bool] = []
        for _ in 0..<2 {
            _ = troupe.order(id) { central, host, now, actions in
                central.discover(troupe.address, host: host, at: now, into: &actions) { result in
                    answers.append((try? result.get()) != nil)
                }
            }
        }
        troupe.run(for: .seconds(20))
        #expect(answers == [true, true])
        _ = troupe.order(id) { central, host, now, actions in
            central.discover(troupe.address, host: host, at: now, into: &actions) { result in
                answers.append((try? result.get()) != nil)
            }
        }
        troupe.workbench.world.run(for: .seconds(20)) { central.log.entries.last?.kind == .read }
        troupe.workbench.remove(id)
        #expect(answers == [true, true, false])
    }

    @Test("What cannot be done is refused in a sentence, and logged where it was tried")
    func refusals() throws {
        let troupe = Troupe()
        let id = troupe.workbench.addCentral()
        troupe.run(for: .seconds(1))
        var refusal = #expect(throws: WorkbenchCentral.Refusal.self) {
            try troupe.wait(id) { central, host, now, actions, answer in
                central.read(Self.battery, of: troupe.address, host: host, at: now, into: &actions, answer)
            }
        }
        #expect(refusal?.kind == .notNow)
        let (other, central) = try troupe.connectedCentral()
        refusal = #expect(throws: WorkbenchCentral.Refusal.self) {
            try troupe.wait(other) { central, host, now, actions, answer in
                central.write([1], to: Self.battery, of: troupe.address, host: host, at: now, into: &actions, answer)
            }
        }
        #expect(refusal?.kind == .refusedByPeer)
        #expect(refusal?.attError == ATTError.writeNotPermitted.rawValue)
        #expect(central.log.entries.last?.hasFailed == true)
        #expect(central.log.entries.last?.outcome == refusal?.sentence)
        refusal = #expect(throws: WorkbenchCentral.Refusal.self) {
            try troupe.wait(other) { central, host, now, actions, answer in
                let handle = AttributeHandle(rawValue: 0x24)!
                central.subscribe(true, to: handle, of: troupe.address, host: host, at: now, into: &actions, answer)
            }
        }
        #expect(refusal != nil)
    }

    @Test("A connection that the peer did not hear is made again, and whoever asked notices nothing")
    func unheard() throws {
        let troupe = Troupe()
        let id = troupe.workbench.addCentral()
        let central = try #require(troupe.workbench.central(id))
        troupe.run(for: .seconds(1))
        troupe.workbench.world.setLoss(.always, from: id, to: troupe.fob)
        troupe.workbench.world.schedule(at: troupe.workbench.world.now + .seconds(2)) { [fob = troupe.fob] world in
            world.setLoss(.never, from: id, to: fob)
        }
        let began = troupe.workbench.world.now
        let link = try troupe.wait(id) { central, host, now, actions, answer in
            central.connect(to: troupe.address, host: host, at: now, into: &actions, answer)
        }
        #expect(troupe.workbench.world.now - began > .seconds(2))
        #expect(central.links.map(\.id) == [link.id] && central.links.first?.mtu == link.mtu)
        #expect(!central.log.entries.contains { $0.kind == .disconnect || $0.hasFailed })
        #expect(central.target == nil)
    }

    @Test("A connection that nobody hears is given up when its time is over, with the reason")
    func neverHeard() throws {
        let troupe = Troupe()
        let id = troupe.workbench.addCentral()
        troupe.run(for: .seconds(1))
        troupe.workbench.world.setLoss(.always, from: id, to: troupe.fob)
        let refusal = #expect(throws: WorkbenchCentral.Refusal.self) {
            try troupe.wait(id) { central, host, now, actions, answer in
                let patience = TimeSpan.seconds(3)
                central.connect(to: troupe.address, patience: patience, host: host, at: now, into: &actions, answer)
            }
        }
        #expect(refusal?.sentence.contains("failed to be established") == true)
        #expect(troupe.workbench.central(id)?.links.isEmpty == true && troupe.workbench.central(id)?.target == nil)
    }

    @Test("Somebody who does not answer is given up after the patience that was asked for")
    func patience() throws {
        let troupe = Troupe()
        troupe.workbench.move(troupe.fob, to: .metres(x: 5000))
        let id = troupe.workbench.addCentral()
        troupe.run(for: .seconds(1))
        let began = troupe.workbench.world.now
        let refusal = #expect(throws: WorkbenchCentral.Refusal.self) {
            try troupe.wait(id) { central, host, now, actions, answer in
                central.connect(
                    to: troupe.address,
                    patience: .seconds(3),
                    host: host,
                    at: now,
                    into: &actions,
                    answer
                )
            }
        }
        #expect(refusal?.kind == .timeout)
        let passed = troupe.workbench.world.now - began
        #expect(passed >= .seconds(3) && passed < .seconds(4))
    }

    @Test("Whoever waits for a central that is taken away has an answer, once")
    func removal() throws {
        let troupe = Troupe()
        let (id, _) = try troupe.connectedCentral()
        var answers: [String] = []
        _ = troupe.order(id) { central, host, now, actions in
            central.read(Self.battery, of: troupe.address, host: host, at: now, into: &actions) {
                answers.append("\($0)")
            }
            central.discover(troupe.address, host: host, at: now, into: &actions) { answers.append("\($0)") }
        }
        #expect(answers.isEmpty)
        troupe.workbench.remove(id)
        #expect(answers.count == 2)
        #expect(answers.allSatisfy { $0.contains("failure") })
        #expect(troupe.workbench.central(id) == nil)
        troupe.run(for: .seconds(10))
        #expect(answers.count == 2)
        #expect(troupe.device.connection == nil, "the fob has found out by silence")
    }

    @Test("A central that retires ends its connections, and is gone when its peers have heard of it")
    func retirement() throws {
        let troupe = Troupe()
        let (id, central) = try troupe.connectedCentral()
        troupe.workbench.retire(id)
        troupe.workbench.retire(id)
        troupe.run(for: .milliseconds(500))
        #expect(troupe.device.connection == nil && central.links.isEmpty)
        #expect(troupe.workbench.central(id) != nil)
        troupe.run(for: .seconds(1))
        #expect(troupe.workbench.central(id) == nil)
    }

    @Test("What was written is remembered apart from what was read, and a refused write is not")
    func written() throws {
        let troupe = Troupe()
        let (id, central) = try troupe.connectedCentral()
        let linkLoss = AttributeHandle(rawValue: 0x25)!
        func write(_ value: [UInt8]) throws {
            try troupe.wait(id) { central, host, now, actions, answer in
                central.write(value, to: linkLoss, of: troupe.address, host: host, at: now, into: &actions, answer)
            }
        }
        let refusal = #expect(throws: WorkbenchCentral.Refusal.self) { try write([7]) }
        #expect(refusal?.sentence == "Peer returned ATT error 0x80 (application error)")
        #expect(central.links.first?.written.isEmpty == true)
        try write([2])
        #expect(central.links.first?.written[linkLoss]?.sample.value == [2])
        #expect(central.links.first?.written[linkLoss]?.isConfirmed == true)
        #expect(central.links.first?.history[linkLoss] == nil)
        let alert = AttributeHandle(rawValue: 0x28)!
        _ = try troupe.order(id) { central, host, now, actions throws(WorkbenchCentral.Refusal) in
            try central.writeCommand([1], to: alert, of: troupe.address, host: host, at: now, into: &actions)
        }
        #expect(central.links.first?.written[alert]?.isConfirmed == false)
    }

    @Test("A battery that is taken out is silence; when it is back the fob starts anew, with the same charge")
    func power() throws {
        let troupe = Troupe()
        let (_, central) = try troupe.connectedCentral()
        let fob = try #require(troupe.workbench.fob(troupe.fob))
        fob.setBattery(percent: 40, in: troupe.workbench.world)
        fob.setPower(false, in: troupe.workbench.world)
        #expect(!troupe.device.isPowered)
        #expect(troupe.device.connection == nil)
        troupe.run(for: .milliseconds(100))
        #expect(central.links.count == 1, "nobody has said goodbye")
        let sent = troupe.workbench.air.lastNumber
        troupe.run(for: .seconds(30))
        #expect(central.links.isEmpty)
        #expect(central.log.entries.last?.kind == .disconnect)
        #expect(
            troupe.workbench.air.packets(after: sent, endedBy: .distantFuture).allSatisfy { $0.device != troupe.fob }
        )
        fob.setPower(true, in: troupe.workbench.world)
        troupe.run(for: .seconds(1))
        #expect(troupe.device.model.isAdvertising)
        let (other, _) = try troupe.connectedCentral()
        let level = try troupe.wait(other) { central, host, now, actions, answer in
            central.read(Self.battery, of: troupe.address, host: host, at: now, into: &actions, answer)
        }
        #expect(level == [40])
    }
}

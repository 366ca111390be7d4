import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

/// Private addresses that the host makes itself, for a controller without a resolving list.
@Suite("Own private addresses, made by the host")
struct OwnAddressTests {
    private func resolves(_ address: DeviceAddress) -> Bool {
        AddressHash.resolves(address, key: PrivacyBench.irk)
    }

    @Test("The address is set before advertising begins, and its own key resolves it")
    func advertising() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.resolvablePrivate))
        #expect(
            bench.controller.opcodes == [
                .leSetRandomAddress, .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
                .leSetAdvertisingEnable,
            ]
        )
        #expect(resolves(try #require(bench.randomAddresses.first)))
        guard case .known(let set as LESetAdvertisingParameters) = bench.controller.commands[1] else {
            Issue.record("no parameters")
            return
        }
        #expect(set.ownAddressType == .random)
        #expect(bench.takeEvents().names == ["advertisingStarted"])
    }

    @Test("Every 15 minutes advertising pauses for another address, and nobody is told")
    func rotation() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.resolvablePrivate))
        let first = bench.randomAddresses[0]
        _ = bench.takeEvents()
        bench.controller.forget()
        bench.run(for: .seconds(899))
        #expect(bench.controller.commands.isEmpty)
        bench.run(for: .seconds(1))
        #expect(
            bench.controller.opcodes == [.leSetAdvertisingEnable, .leSetRandomAddress, .leSetAdvertisingEnable]
        )
        let second = bench.randomAddresses[0]
        #expect(second != first && resolves(second))
        bench.run(for: .seconds(9 * 900))
        #expect(bench.randomAddresses.count == 10)
        #expect(Set(bench.randomAddresses).count == 10)
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("Scanning pauses for another address, at the pace that was configured")
    func scanning() throws {
        var bench = PrivacyBench.up { $0.privacy.rotation = .seconds(60) }
        try bench.scan(.showing(.nonResolvablePrivate))
        #expect(bench.controller.opcodes == [.leSetRandomAddress, .leSetScanParameters, .leSetScanEnable])
        let first = bench.randomAddresses[0]
        #expect(first.randomSubtype == .nonResolvablePrivate)
        bench.controller.forget()
        bench.run(for: .seconds(60))
        #expect(
            bench.controller.opcodes == [
                .leSetScanEnable, .leSetRandomAddress, .leSetScanParameters, .leSetScanEnable,
            ]
        )
        #expect(bench.randomAddresses[0] != first)
        #expect(bench.takeEvents().names == ["scanningStarted"])
    }

    @Test("A try to connect pauses for another address, and ends when the application wants, not before")
    func connecting() throws {
        var bench = PrivacyBench.up { $0.privacy.ownAddress = .resolvablePrivate }
        try bench.connect(to: PrivacyBench.peer(9), ConnectParameters(timeout: .seconds(1000)))
        #expect(bench.controller.opcodes == [.leSetRandomAddress, .leCreateConnection])
        bench.controller.forget()
        bench.run(for: .seconds(900))
        #expect(bench.controller.opcodes == [.leCreateConnectionCancel])
        bench.creationCancelled()
        #expect(
            bench.controller.opcodes == [.leCreateConnectionCancel, .leSetRandomAddress, .leCreateConnection]
        )
        #expect(bench.takeEvents().isEmpty)
        bench.run(for: .seconds(100))
        bench.creationCancelled()
        #expect(bench.takeEvents().names == ["connectFailed"])
    }

    @Test("A connection that comes while the try is being paused is taken")
    func connectedWhilePausing() throws {
        var bench = PrivacyBench.up { $0.privacy.ownAddress = .resolvablePrivate }
        try bench.connect(to: PrivacyBench.peer(9))
        bench.run(for: .seconds(900))
        let shown = bench.randomAddresses[0]
        bench.connectionComplete(role: .central, peer: PrivacyBench.peer(9))
        #expect(bench.takeEvents().names.first == "connected")
        #expect(bench.randomAddresses == [shown])
    }

    @Test("An address change waits for no one where nothing is on the air; one that begins shows a fresh address")
    func freshAddress() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.resolvablePrivate))
        try bench.order { host, now, actions throws(OrderError) in try host.stopAdvertising(at: now, into: &actions) }
        bench.run(for: .seconds(2000))
        #expect(bench.randomAddresses.count == 1)
        try bench.advertise(.showing(.resolvablePrivate))
        #expect(bench.randomAddresses.count == 2)
        #expect(bench.randomAddresses[0] != bench.randomAddresses[1])
    }

    @Test("Advertising that a connection ended begins anew under a fresh address; changes do not touch the link")
    func afterDisconnection() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.resolvablePrivate))
        let id = bench.connected()
        bench.run(for: .seconds(2000))
        #expect(bench.controller.commands.isEmpty)
        try bench.advertise(.showing(.resolvablePrivate))
        bench.run(for: .seconds(900))
        bench.disconnectionComplete(id, reason: .remoteUserTerminatedConnection)
        #expect(bench.randomAddresses.count == 2)
        #expect(bench.takeEvents().names.last == "disconnected")
    }

    @Test("Scanning that begins beside advertising shows the same private address")
    func shared() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.resolvablePrivate))
        bench.controller.forget()
        try bench.scan(.showing(.resolvablePrivate))
        #expect(bench.controller.opcodes == [.leSetScanParameters, .leSetScanEnable])
    }

    @Test("Advertising under the public address pauses while scanning gets a private one")
    func besidePublic() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.public))
        bench.controller.forget()
        try bench.scan(.showing(.resolvablePrivate))
        #expect(
            bench.controller.opcodes == [
                .leSetAdvertisingEnable, .leSetRandomAddress, .leSetAdvertisingEnable, .leSetScanParameters,
                .leSetScanEnable,
            ]
        )
        #expect(bench.takeEvents().names == ["advertisingStarted", "scanningStarted"])
    }

    @Test("What needs another random address than something under way is refused, and may begin afterwards")
    func conflict() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.staticRandom))
        #expect(throws: OrderError.addressInUse) { try bench.scan(.showing(.resolvablePrivate)) }
        try bench.order { host, now, actions throws(OrderError) in try host.stopAdvertising(at: now, into: &actions) }
        try bench.scan(.showing(.resolvablePrivate))
        #expect(throws: OrderError.addressInUse) { try bench.advertise(.showing(.nonResolvablePrivate)) }
    }

    @Test("After private ones the static address is set again for who shows it")
    func backToStatic() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.nonResolvablePrivate))
        try bench.order { host, now, actions throws(OrderError) in try host.stopAdvertising(at: now, into: &actions) }
        try bench.advertise(.showing(.staticRandom))
        #expect(bench.randomAddresses.map(\.randomSubtype) == [.nonResolvablePrivate, .staticDevice])
        #expect(bench.randomAddresses.last == bench.host.identity?.staticAddress)
    }

    @Test("A controller that takes no address ends what needs it, and nothing else")
    func refusal() throws {
        var bench = PrivacyBench.up()
        try bench.scan(.showing(.public))
        _ = bench.takeEvents()
        bench.controller.refusals[.leSetRandomAddress] = .commandDisallowed
        try bench.advertise(.showing(.resolvablePrivate))
        let events = bench.takeEvents()
        #expect(events.names == ["advertisingEnded"])
        guard case .advertisingEnded(.refused(.commandDisallowed)) = events.first else {
            Issue.record("another reason")
            return
        }
        // The scan was held for it and goes on.
        #expect(bench.controller.opcodes.last == .leSetScanEnable)
    }

    @Test("Stopped while it is held, advertising ends with a word and does not come back")
    func stoppedWhilePaused() throws {
        var bench = PrivacyBench.up()
        try bench.advertise(.showing(.resolvablePrivate))
        _ = bench.takeEvents()
        bench.controller.forget()
        bench.holdsPackets = true
        bench.run(for: .seconds(900))
        try bench.order { host, now, actions throws(OrderError) in try host.stopAdvertising(at: now, into: &actions) }
        bench.release()
        #expect(bench.takeEvents().names == ["advertisingEnded"])
        #expect(bench.controller.opcodes == [.leSetAdvertisingEnable])
    }

    @Test("A duration counts on through pauses")
    func duration() throws {
        var bench = PrivacyBench.up { $0.privacy.rotation = .seconds(10) }
        var parameters = AdvertisingParameters.showing(.resolvablePrivate)
        parameters.duration = .seconds(35)
        try bench.advertise(parameters)
        bench.run(for: .seconds(34))
        #expect(bench.takeEvents().names == ["advertisingStarted"])
        bench.run(for: .seconds(1))
        #expect(bench.takeEvents().names == ["advertisingEnded"])
        #expect(bench.randomAddresses.count == 4)
        bench.run(for: .seconds(100))
        #expect(bench.randomAddresses.count == 4)
    }

    @Test("Ten thousand addresses keep the rules: no random part of all zeros or all ones, each of its kind")
    func rules() throws {
        for own: OwnAddress in [.resolvablePrivate, .nonResolvablePrivate] {
            var bench = PrivacyBench.up { $0.privacy.rotation = .seconds(1) }
            try bench.advertise(.showing(own))
            bench.run(for: .seconds(5000))
            #expect(bench.randomAddresses.count == 5001)
            for address in bench.randomAddresses {
                let bits = address.value
                let random = own == .resolvablePrivate ? bits >> 24 & 0x3F_FFFF : bits & 0x3FFF_FFFF_FFFF
                let ones: UInt64 = own == .resolvablePrivate ? 0x3F_FFFF : 0x3FFF_FFFF_FFFF
                #expect(random != 0 && random != ones)
                #expect(own == .resolvablePrivate ? resolves(address) : address.randomSubtype == .nonResolvablePrivate)
            }
        }
    }

    @Test("Another secret gives other addresses and another resolving key; the same gives the same")
    func secrets() throws {
        func addresses(_ secret: Block128?) throws -> [DeviceAddress] {
            var bench = HostBench.up { $0.secret = secret }
            try bench.advertise(.showing(.resolvablePrivate))
            bench.run(for: .seconds(900))
            return bench.randomAddresses
        }
        let one = try addresses(Block128(high: 1, low: 1))
        #expect(one == (try addresses(Block128(high: 1, low: 1))))
        #expect(one != (try addresses(Block128(high: 1, low: 2))))
        #expect(one != (try addresses(nil)))
    }

    @Test("A connection knows the private address it was made under")
    func connectionsAddress() throws {
        var bench = PrivacyBench.up { $0.privacy.ownAddress = .resolvablePrivate }
        try bench.connect(to: PrivacyBench.peer(9))
        let shown = bench.randomAddresses[0]
        bench.connectionComplete(role: .central, peer: PrivacyBench.peer(9))
        #expect(bench.host.ownAddressesOfConnections == [shown])
    }
}

import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A controller that has a resolving list: how it comes to hold the bonds, and what it does with them.
@Suite("Private addresses, resolved by the controller")
struct ControllerResolvingTests {
    private func added(_ bench: HostBench) -> [DeviceAddress] {
        bench.controller.commands.compactMap {
            if case .known(let add as LEAddDeviceToResolvingList) = $0 { add.identity.address } else { nil }
        }
    }

    private func startUp(
        _ controller: ScriptedController,
        _ bonds: [Bond],
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) -> HostBench {
        var bench = HostBench(controller, bonds: PrivacyBench.store(bonds)) {
            $0.identityResolvingKey = PrivacyBench.irk
            configure(&$0)
        }
        bench.powerOn()
        return bench
    }

    private func keep(_ bond: Bond, _ bench: inout HostBench) throws {
        try bench.order { host, now, actions throws(BondStoreError) in
            try host.keep(bond, at: now, into: &actions)
        }
    }

    @Test("When the host comes up, the list is filled from the bonds, with both keys, then resolving is enabled")
    func filling() throws {
        let bonds = [PrivacyBench.bond(1), PrivacyBench.bond(2, mode: .device), PrivacyBench.bond(3, hasKey: false)]
        let bench = startUp(PrivacyBench.resolving(), bonds)
        let opcodes = bench.controller.opcodes
        let start = try #require(opcodes.firstIndex(of: .leSetRandomAddress))
        #expect(
            Array(opcodes[(start + 1)...]) == [
                .leSetResolvablePrivateAddressTimeout, .leAddDeviceToResolvingList, .leAddDeviceToResolvingList,
                .leAddDeviceToResolvingList, .leSetPrivacyMode, .leSetAddressResolutionEnable,
            ]
        )
        let local = PrivacyBench.bytes(PrivacyBench.irk)
        let commands = bench.controller.commands
        #expect(
            commands.contains(
                .leAddDeviceToResolvingList(
                    LEAddDeviceToResolvingList(
                        identity: PeerAddress(PrivacyBench.peer(1)),
                        peerResolvingKey: PrivacyBench.bytes(PrivacyBench.key(1)),
                        localResolvingKey: local
                    )
                )
            )
        )
        #expect(
            commands.contains(
                .leAddDeviceToResolvingList(
                    LEAddDeviceToResolvingList(
                        identity: PeerAddress(PrivacyBench.peer(3)),
                        peerResolvingKey: [UInt8](repeating: 0, count: 16),
                        localResolvingKey: local
                    )
                )
            )
        )
        #expect(
            commands.contains(
                .leSetPrivacyMode(LESetPrivacyMode(identity: PeerAddress(PrivacyBench.peer(2)), mode: .device))
            )
        )
        #expect(
            commands.contains(
                .leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: 900))
            )
        )
        #expect(commands.last == .leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: true)))
    }

    @Test("A controller that can tell both private addresses of a connection is asked to")
    func eventMask() throws {
        func mask(_ controller: ScriptedController, uses: Bool = true) -> LEEventMask? {
            let bench = startUp(controller, []) { $0.privacy.usesResolvingList = uses }
            for case .known(let set as LESetEventMask) in bench.controller.commands { return set.mask }
            return nil
        }
        #expect(try #require(mask(PrivacyBench.resolving())).contains(.enhancedConnectionComplete))
        #expect(!(try #require(mask(ScriptedController())).contains(.enhancedConnectionComplete)))
        #expect(!(try #require(mask(PrivacyBench.resolving(), uses: false)).contains(.enhancedConnectionComplete)))
    }

    @Test("Without bonds, or where the host is told not to, the list is left alone")
    func unused() {
        let privacy: [Opcode] = [
            .leAddDeviceToResolvingList, .leSetAddressResolutionEnable, .leSetResolvablePrivateAddressTimeout,
        ]
        #expect(startUp(PrivacyBench.resolving(), []).controller.opcodes.allSatisfy { !privacy.contains($0) })
        let told = startUp(PrivacyBench.resolving(), [PrivacyBench.bond(1)]) { $0.privacy.usesResolvingList = false }
        #expect(told.controller.opcodes.allSatisfy { !privacy.contains($0) })
        let unable = startUp(ScriptedController(), [PrivacyBench.bond(1)])
        #expect(unable.controller.opcodes.allSatisfy { !privacy.contains($0) })
    }

    @Test("A new bond gets into the list while all that is on the air is held; removing it takes it out")
    func changes() throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving(), bonds: [PrivacyBench.bond(1)])
        try bench.advertise(.showing(.public))
        try bench.scan(.showing(.public))
        _ = bench.takeEvents()
        bench.controller.forget()
        try keep(PrivacyBench.bond(2), &bench)
        let around: [Opcode] = [.leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable]
        #expect(
            bench.controller.opcodes
                == [.leSetAdvertisingEnable, .leSetScanEnable, .leAddDeviceToResolvingList] + around
        )
        bench.controller.forget()
        try bench.order { host, now, actions throws(BondStoreError) in
            try host.removeBond(PrivacyBench.peer(2), at: now, into: &actions)
        }
        #expect(
            bench.controller.opcodes
                == [.leSetAdvertisingEnable, .leSetScanEnable, .leRemoveDeviceFromResolvingList] + around
        )
        #expect(bench.takeEvents().allSatisfy { $0.name == "security" })
    }

    @Test("A bond that changes in what concerns nobody's address leaves the air alone")
    func counters() throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving(), bonds: [PrivacyBench.bond(1)])
        try bench.advertise(.showing(.public))
        bench.controller.forget()
        var bond = PrivacyBench.bond(1)
        bond.localSignCounter = 17
        try keep(bond, &bench)
        #expect(bench.controller.commands.isEmpty)
    }

    @Test("A peer that is bonded anew has its new key in the list")
    func newKey() throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving(), bonds: [PrivacyBench.bond(1)])
        var bond = PrivacyBench.bond(1)
        bond.peerIdentityResolvingKey = PrivacyBench.key(77)
        try keep(bond, &bench)
        #expect(bench.controller.opcodes == [.leRemoveDeviceFromResolvingList, .leAddDeviceToResolvingList])
    }

    @Test("Changing the privacy mode puts the peer into the list anew")
    func mode() throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving(), bonds: [PrivacyBench.bond(1)])
        try bench.order { host, now, actions throws(BondStoreError) in
            try host.setPrivacyMode(.device, ofBondWith: PrivacyBench.peer(1), at: now, into: &actions)
        }
        #expect(
            bench.controller.opcodes == [
                .leRemoveDeviceFromResolvingList, .leAddDeviceToResolvingList, .leSetPrivacyMode,
            ]
        )
        #expect(bench.host.bonds.map(\.privacyMode) == [.device])
    }

    @Test("More bonds than entries: the rest is resolved by the host, and connected to by searching")
    func overflow() throws {
        let bonds = (1...4).map { PrivacyBench.bond($0) }
        var bench = startUp(PrivacyBench.resolving(size: 2), bonds)
        #expect(added(bench) == [PrivacyBench.peer(1), PrivacyBench.peer(2)])
        bench.controller.forget()
        try bench.scan(.showing(.public))
        _ = bench.takeEvents()
        bench.report(PrivacyBench.report(PeerAddress(identity: PrivacyBench.peer(1))))
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 4)))
        #expect(bench.takeReports().map(\.identity) == [PrivacyBench.peer(1), PrivacyBench.peer(4)])
        try bench.connect(to: PrivacyBench.peer(2))
        #expect(bench.controller.opcodes.last == .leCreateConnection)
    }

    @Test("A list that is shorter than it was said to be is used as far as it goes")
    func shorter() throws {
        var controller = PrivacyBench.resolving(size: 8)
        controller.refusals[.leAddDeviceToResolvingList] = .memoryCapacityExceeded
        var bench = startUp(controller, [PrivacyBench.bond(1)])
        #expect(added(bench).count == 1)
        #expect(!bench.controller.opcodes.contains(.leSetAddressResolutionEnable))
        bench.controller.forget()
        try bench.connect(to: PrivacyBench.peer(1))
        #expect(bench.controller.opcodes == [.leSetScanParameters, .leSetScanEnable])
    }

    @Test("A controller that does not resolve after all leaves it to the host")
    func notEnabled() throws {
        var controller = PrivacyBench.resolving()
        controller.refusals[.leSetAddressResolutionEnable] = .commandDisallowed
        var bench = startUp(controller, [PrivacyBench.bond(1)])
        bench.controller.forget()
        try bench.advertise(.showing(.resolvablePrivate))
        #expect(AddressHash.resolves(try #require(bench.randomAddresses.first), key: PrivacyBench.irk))
        try bench.connect(to: PrivacyBench.peer(1))
        #expect(bench.controller.opcodes.last == .leSetScanEnable)
    }

    @Test("Without LE Set Privacy Mode, peers that may show their identity are left to the host")
    func noModes() {
        let bonds = [PrivacyBench.bond(1), PrivacyBench.bond(2, mode: .device)]
        #expect(added(startUp(PrivacyBench.resolving(modes: false), bonds)) == [PrivacyBench.peer(1)])
    }

    // MARK: What goes on the air

    @Test("For advertising to everybody an entry for everybody is added once, and the controller makes the address")
    func everybody() throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving())
        try bench.advertise(.showing(.resolvablePrivate))
        #expect(
            Array(bench.controller.opcodes.prefix(4)) == [
                .leSetResolvablePrivateAddressTimeout, .leAddDeviceToResolvingList, .leSetAddressResolutionEnable,
                .leSetAdvertisingParameters,
            ]
        )
        #expect(added(bench) == [DeviceAddress(value: 0, kind: .public)])
        guard case .known(let set as LESetAdvertisingParameters) = bench.controller.commands[3] else {
            Issue.record("no parameters")
            return
        }
        #expect(set.ownAddressType == .resolvableOrPublic)
        #expect(set.peer == PeerAddress(DeviceAddress(value: 0, kind: .public)))
        #expect(bench.randomAddresses.isEmpty)
        // The controller changes the address by itself.
        bench.controller.forget()
        bench.run(for: .seconds(2000))
        #expect(bench.controller.commands.isEmpty)
    }

    @Test("Where the controller takes no entry for everybody, the host makes the address")
    func noEverybody() throws {
        var controller = PrivacyBench.resolving()
        controller.refusals[.leAddDeviceToResolvingList] = .invalidCommandParameters
        var bench = PrivacyBench.up(controller)
        try bench.advertise(.showing(.resolvablePrivate))
        #expect(AddressHash.resolves(try #require(bench.randomAddresses.first), key: PrivacyBench.irk))
        #expect(bench.takeEvents().names == ["advertisingStarted"])
    }

    @Test("Directed advertising names the identity of a peer in the list", arguments: [true, false])
    func directed(isHighDuty: Bool) throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving(), bonds: [PrivacyBench.bond(1)])
        let peer = PrivacyBench.peer(1)
        try bench.advertise(
            .showing(.resolvablePrivate, isHighDuty ? .directedHighDuty(to: peer) : .directedLowDuty(to: peer))
        )
        guard case .known(let set as LESetAdvertisingParameters) = bench.controller.commands.first else {
            Issue.record("no parameters")
            return
        }
        #expect(set.ownAddressType == .resolvableOrPublic)
        #expect(set.peer == PeerAddress(peer))
        #expect(set.type == (isHighDuty ? .directedHighDutyCycle : .directedLowDutyCycle))
    }

    @Test("A bonded peer is connected to by its identity, spelled as the controller's edition wants it")
    func connecting() throws {
        for modes in [true, false] {
            var bench = PrivacyBench.up(PrivacyBench.resolving(modes: modes), bonds: [PrivacyBench.bond(1)])
            try bench.connect(to: PrivacyBench.peer(1))
            guard case .known(let create as LECreateConnection) = bench.controller.commands.last else {
                Issue.record("no connection")
                return
            }
            #expect(create.peer.type == (modes ? .public : .publicIdentity))
            #expect(create.peer.address == PrivacyBench.peer(1))
        }
    }

    @Test("A connection to a resolved peer has its identity, and both addresses that were on the air")
    func connected() throws {
        var bench = PrivacyBench.up(PrivacyBench.resolving(), bonds: [PrivacyBench.bond(1)])
        let own = try #require(AddressHash.resolvableAddress(key: PrivacyBench.irk, random: 99))
        let shown = PrivacyBench.privateAddress(of: 1)
        bench.report(
            .leEnhancedConnectionComplete(
                LEEnhancedConnectionComplete(
                    connection: ConnectionHandle(rawValue: 0x40)!,
                    role: .peripheral,
                    peer: PeerAddress(identity: PrivacyBench.peer(1)),
                    localPrivateAddress: own,
                    peerPrivateAddress: shown,
                    interval: 24,
                    latency: 0,
                    supervisionTimeout: 72
                )
            )
        )
        let description = try #require(bench.host.openConnections.first)
        #expect(description.peer == shown)
        #expect(description.peerIdentity == PrivacyBench.peer(1))
        #expect(description.isBonded)
        #expect(bench.host.ownAddressesOfConnections == [own])
    }
}

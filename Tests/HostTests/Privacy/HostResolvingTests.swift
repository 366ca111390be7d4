import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A controller without a resolving list: the host resolves what is heard, and searches whom it is to connect to.
@Suite("Private addresses, resolved by the host")
struct HostResolvingTests {
    private func target(_ bench: HostBench) -> PeerAddress? {
        for case .known(let create as LECreateConnection) in bench.controller.commands.reversed() { return create.peer }
        return nil
    }

    @Test("Reports of a bonded peer carry its identity, whatever address it shows; strangers' do not")
    func reports() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1), PrivacyBench.bond(2, hasKey: false)])
        try bench.scan()
        _ = bench.takeEvents()
        let stranger = PrivacyBench.privateAddress(of: 50)
        for address in [
            PrivacyBench.privateAddress(of: 1, 5), PrivacyBench.privateAddress(of: 1, 6), PrivacyBench.peer(2),
            stranger,
        ] {
            bench.report(PrivacyBench.report(address))
        }
        let one = PrivacyBench.peer(1), two = PrivacyBench.peer(2)
        let reports = bench.takeReports()
        #expect(reports.map(\.identity) == [one, one, two, nil])
        #expect(reports.map(\.address)[0] == PrivacyBench.privateAddress(of: 1, 5))
    }

    @Test("In network mode the identity address of a private peer is nobody's; in device mode it is the peer's")
    func modes() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1), PrivacyBench.bond(2, mode: .device)])
        try bench.scan()
        _ = bench.takeEvents()
        bench.report(PrivacyBench.report(PrivacyBench.peer(1)))
        bench.report(PrivacyBench.report(PrivacyBench.peer(2)))
        #expect(bench.takeReports().map(\.identity) == [PrivacyBench.peer(2)])
    }

    @Test("A thousand strangers' addresses do not hide a peer, nor does a bond that comes later")
    func crowd() throws {
        var resolver = AddressResolver()
        resolver.set([PrivacyBench.bond(1)])
        let later = PrivacyBench.privateAddress(of: 2)
        #expect(resolver.finding(for: later) == .stranger)
        for random in 1...3000 as ClosedRange<UInt32> {
            #expect(resolver.finding(for: PrivacyBench.privateAddress(of: 99, random)) == .stranger)
        }
        #expect(resolver.finding(for: PrivacyBench.privateAddress(of: 1)) == .peer(PrivacyBench.peer(1)))
        resolver.set([PrivacyBench.bond(1), PrivacyBench.bond(2)])
        #expect(resolver.finding(for: later) == .peer(PrivacyBench.peer(2)))
        resolver.set([])
        #expect(resolver.finding(for: later) == .stranger)
    }

    // MARK: Connecting

    @Test("A bonded peer is searched for by a silent scan, and called by the address that it is heard under")
    func searching() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.connect(to: PrivacyBench.peer(1))
        #expect(bench.controller.opcodes == [.leSetScanParameters, .leSetScanEnable])
        guard case .known(let set as LESetScanParameters) = bench.controller.commands[0] else { return }
        #expect(!set.isActive)
        bench.controller.forget()
        // A stranger, the peer where it cannot be connected to, and its identity address are not it.
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 5)))
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 1), .nonConnectable))
        bench.report(PrivacyBench.report(PrivacyBench.peer(1)))
        #expect(bench.controller.commands.isEmpty)
        let shown = PrivacyBench.privateAddress(of: 1, 77)
        bench.report(PrivacyBench.report(shown))
        #expect(bench.controller.opcodes == [.leSetScanEnable, .leCreateConnection])
        #expect(target(bench) == PeerAddress(shown))
        #expect(bench.takeEvents().isEmpty)
        bench.connectionComplete(role: .central, peer: shown)
        let description = try #require(bench.host.openConnections.first)
        #expect(description.peer == shown)
        #expect(description.peerIdentity == PrivacyBench.peer(1))
        #expect(description.isBonded)
    }

    @Test("A peer that takes another address before it is reached is searched for again")
    func missed() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.connect(to: PrivacyBench.peer(1), ConnectParameters(timeout: .seconds(60)))
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 1, 1)))
        bench.controller.forget()
        bench.run(for: .seconds(5))
        #expect(bench.controller.opcodes == [.leCreateConnectionCancel])
        bench.creationCancelled()
        #expect(
            bench.controller.opcodes == [.leCreateConnectionCancel, .leSetScanParameters, .leSetScanEnable]
        )
        let second = PrivacyBench.privateAddress(of: 1, 2)
        bench.report(PrivacyBench.report(second))
        #expect(target(bench) == PeerAddress(second))
        #expect(bench.takeEvents().isEmpty)
        bench.run(for: .seconds(55))
        bench.creationCancelled()
        bench.run(for: .seconds(5))
        #expect(bench.takeEvents().names == ["connectFailed"])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test("A search that lasts too long ends, and so does its scan; so does one that is cancelled")
    func searchEnds() throws {
        for isCancelled in [true, false] {
            var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
            try bench.connect(to: PrivacyBench.peer(1), ConnectParameters(timeout: .seconds(10)))
            bench.controller.forget()
            if isCancelled {
                try bench.order { host, now, actions throws(OrderError) in
                    try host.cancelConnect(at: now, into: &actions)
                }
            } else {
                bench.run(for: .seconds(10))
            }
            #expect(bench.takeEvents().names == ["connectFailed"])
            #expect(bench.controller.opcodes == [.leSetScanEnable])
        }
    }

    @Test("A controller that will not scan for the search ends the attempt with its reason, and is not asked again")
    func refusedSearch() throws {
        for opcode: Opcode in [.leSetScanParameters, .leSetScanEnable] {
            var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
            bench.controller.refusals[opcode] = .commandDisallowed
            try bench.connect(to: PrivacyBench.peer(1))
            let events = bench.takeEvents()
            guard case .connectFailed(PrivacyBench.peer(1), .refused(.commandDisallowed))? = events.last else {
                Issue.record("not told")
                continue
            }
            #expect(bench.controller.opcodes.last == opcode)
        }
    }

    @Test("The application's own scan serves the search, and goes on beside the connection")
    func sharedScan() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.scan()
        bench.controller.forget()
        try bench.connect(to: PrivacyBench.peer(1))
        #expect(bench.controller.commands.isEmpty)
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 1)))
        #expect(bench.controller.opcodes == [.leCreateConnection])
        #expect(bench.takeEvents().names == ["scanningStarted", "advertisingReport"])
    }

    @Test("A scan that hears everybody once begins anew, so that a peer heard before is heard again")
    func duplicateFilter() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.scan(.showing(.public, filtersDuplicates: true))
        bench.controller.forget()
        try bench.connect(to: PrivacyBench.peer(1))
        #expect(bench.controller.opcodes == [.leSetScanEnable, .leSetScanParameters, .leSetScanEnable])
    }

    @Test("The application may scan while the host searches, and hears only then")
    func scanDuringSearch() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.connect(to: PrivacyBench.peer(1))
        bench.report(PrivacyBench.report(PrivacyBench.peer(8)))
        #expect(bench.takeEvents().isEmpty)
        try bench.scan()
        bench.report(PrivacyBench.report(PrivacyBench.peer(8)))
        #expect(bench.takeEvents().names == ["scanningStarted", "advertisingReport"])
        try bench.order { host, now, actions throws(OrderError) in try host.stopScanning(at: now, into: &actions) }
        #expect(bench.takeEvents().names == ["scanningEnded"])
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 1)))
        #expect(bench.controller.opcodes.last == .leCreateConnection)
    }

    @Test("In device mode a peer that shows its identity is found by it")
    func deviceMode() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1, mode: .device)])
        try bench.connect(to: PrivacyBench.peer(1))
        bench.report(PrivacyBench.report(PrivacyBench.peer(1)))
        #expect(target(bench) == PeerAddress(PrivacyBench.peer(1)))
    }

    @Test("A search goes on through a rotation of the own address")
    func rotationDuringSearch() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)]) { $0.privacy.ownAddress = .resolvablePrivate }
        try bench.connect(to: PrivacyBench.peer(1))
        bench.run(for: .seconds(900))
        #expect(bench.randomAddresses.count == 2)
        bench.report(PrivacyBench.report(PrivacyBench.privateAddress(of: 1)))
        #expect(bench.controller.opcodes.last == .leCreateConnection)
    }

    // MARK: Being connected to

    @Test("Directed advertising calls a private peer by an address of its own, another after each rotation")
    func directed() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.advertise(.showing(.resolvablePrivate, .directedLowDuty(to: PrivacyBench.peer(1))))
        bench.run(for: .seconds(900))
        let called = bench.controller.commands.compactMap {
            if case .known(let set as LESetAdvertisingParameters) = $0 { set.peer.address } else { nil }
        }
        #expect(called.count == 2 && called[0] != called[1])
        #expect(called.allSatisfy { AddressHash.resolves($0, key: PrivacyBench.key(1)) })
    }

    @Test("A central under its private address is known; one that shows what it promised to hide is turned away")
    func centrals() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try bench.advertise(.showing(.public))
        _ = bench.takeEvents()
        bench.controller.forget()
        bench.connectionComplete(peer: PrivacyBench.peer(1))
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.controller.opcodes == [.disconnect, .leSetAdvertisingEnable])
        bench.connectionComplete(handle: 0x41, peer: PrivacyBench.privateAddress(of: 1))
        let description = try #require(bench.host.openConnections.first)
        #expect(description.peerIdentity == PrivacyBench.peer(1) && description.isBonded)
    }

    @Test("A connection learns whose it is when the bond is made on it")
    func laterBond() throws {
        var bench = PrivacyBench.up()
        bench.connectionComplete(peer: PrivacyBench.privateAddress(of: 1))
        #expect(bench.host.openConnections.first?.peerIdentity == nil)
        try bench.order { host, now, actions throws(BondStoreError) in
            try host.keep(PrivacyBench.bond(1), at: now, into: &actions)
        }
        #expect(bench.host.openConnections.first?.peerIdentity == PrivacyBench.peer(1))
        #expect(bench.host.openConnections.first?.isBonded == true)
    }

    // MARK: The filter accept list

    private func list(_ addresses: [DeviceAddress], _ bench: inout HostBench) throws {
        try bench.order { host, now, actions throws(OrderError) in
            try host.setFilterAcceptList(addresses, at: now, into: &actions)
        }
    }

    @Test("A private peer on the list is heard, others are not, although the controller cannot tell them apart")
    func filteredScan() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try list([PrivacyBench.peer(1), PrivacyBench.peer(9)], &bench)
        var parameters = ScanParameters()
        parameters.filter = .listedOnly
        try bench.scan(parameters)
        guard case .known(let set as LESetScanParameters) = bench.controller.commands[3] else {
            Issue.record("no scan")
            return
        }
        #expect(set.filterPolicy == .basicUnfiltered)
        for address in [PrivacyBench.privateAddress(of: 1), PrivacyBench.peer(9), PrivacyBench.peer(8)] {
            bench.report(PrivacyBench.report(address))
        }
        #expect(bench.takeReports().map { $0.identity ?? $0.address } == [PrivacyBench.peer(1), PrivacyBench.peer(9)])
    }

    @Test("A list of those who hide nothing is left to the controller")
    func plainList() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try list([PrivacyBench.peer(9)], &bench)
        var parameters = ScanParameters()
        parameters.filter = .listedOnly
        try bench.scan(parameters)
        guard case .known(let set as LESetScanParameters) = bench.controller.commands[2] else {
            Issue.record("no scan")
            return
        }
        #expect(set.filterPolicy == .basicFiltered)
    }

    @Test("Who is not on the list is turned away, and advertising goes on; who is, stays")
    func filteredAdvertising() throws {
        var bench = PrivacyBench.up(bonds: [PrivacyBench.bond(1)])
        try list([PrivacyBench.peer(1)], &bench)
        var parameters = AdvertisingParameters.showing(.public)
        parameters.filter = .listedOnly
        try bench.advertise(parameters)
        _ = bench.takeEvents()
        bench.connectionComplete(peer: PrivacyBench.peer(8))
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.controller.opcodes.suffix(2) == [.disconnect, .leSetAdvertisingEnable])
        bench.connectionComplete(handle: 0x41, peer: PrivacyBench.privateAddress(of: 1))
        #expect(bench.takeEvents().names.contains("connected"))
    }
}

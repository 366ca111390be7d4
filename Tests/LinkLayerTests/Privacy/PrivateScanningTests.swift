import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Whom a scanner hears, as whom it reports them, and under which address it asks. Core 6.0, Vol 6, Part B, 6.3.
@Suite("Private scanning")
struct PrivateScanningTests {
    private typealias Appearance = PrivateAdvertisingTests.Appearance

    private static func pdus(_ advertiser: DeviceAddress) -> [AdvertisingPDU] {
        [
            .advInd(advertiser: advertiser, data: [2, 1, 6], supportsChannelSelection2: true),
            .advScanInd(advertiser: advertiser, data: [2, 1, 6]),
            .advNonconnInd(advertiser: advertiser, data: [2, 1, 6]),
            .advDirectInd(advertiser: advertiser, target: Bench.address, supportsChannelSelection2: true),
        ]
    }

    /// What the host is told of an advertisement.
    private func reports(_ bench: Bench, _ pdu: AdvertisingPDU) throws -> [PeerAddress] {
        _ = try bench.takeEvents()
        try #require(bench.advertise(pdu) != nil)
        return try bench.takeEvents().flatMap { event -> [PeerAddress] in
            if case .leAdvertisingReport(let report) = event { return report.reports.map(\.peer) }
            Issue.record("\(event)")
            return []
        }
    }

    @Test(
        "Reports by privacy mode, filter policy and appearance: identities where they are known",
        arguments: [LESetPrivacyMode.Mode.network, .device],
        ScanFilterPolicy.allCases
    )
    func reports(mode: LESetPrivacyMode.Mode, filter: ScanFilterPolicy) throws {
        let isFiltered = filter == .basicFiltered || filter == .extendedFiltered
        for isResolving in [false, true] {
            let bench = try Bench()
            try bench.know(mode: mode)
            try bench.know(Someone.other, peerKey: Someone.otherKey)
            try bench.accept(Someone.peer)
            try bench.resolve(isResolving)
            try bench.scanning(filter: filter)
            for appearance in Appearance.allCases {
                let isPeer = appearance == .asIdentity || isResolving && appearance == .privately
                let isIgnored = appearance == .asIdentity && mode == .network
                let isReported = !isIgnored && (!isFiltered || isPeer)
                let peer =
                    isResolving && appearance == .privately
                    ? PeerAddress(identity: Someone.peer) : PeerAddress(appearance.address)
                for pdu in Self.pdus(appearance.address) {
                    let comment: Comment = "\(appearance), resolving \(isResolving), \(pdu)"
                    #expect(try reports(bench, pdu) == (isReported ? [peer] : []), comment)
                }
            }
            // Another one of the resolving list, who is not in the filter accept list.
            let other = Someone.address(of: Someone.otherKey)
            let peer = isResolving ? PeerAddress(identity: Someone.other) : PeerAddress(other)
            for pdu in Self.pdus(other) { #expect(try reports(bench, pdu) == (isFiltered ? [] : [peer])) }
            #expect(try bench.privateAddress(of: Someone.other) == (isResolving ? other : nil))
        }
    }

    @Test("A peer without a key is known by its identity only")
    func noKey() throws {
        let bench = try Bench()
        try bench.know(peerKey: .zero)
        try bench.resolve()
        try bench.scanning()
        let seeming = Someone.address(of: .zero)
        #expect(try reports(bench, .advNonconnInd(advertiser: Someone.peer, data: [])) == [PeerAddress(Someone.peer)])
        #expect(try reports(bench, .advNonconnInd(advertiser: seeming, data: [])) == [PeerAddress(seeming)])
    }

    @Test("Duplicates are those of a device, whatever its addresses; the answers of changed lists are new")
    func duplicates() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.scanning(filtersDuplicates: true)
        let known = (1...3).map { number in
            AdvertisingPDU.advNonconnInd(advertiser: Someone.address(of: Someone.peerKey, number), data: [])
        }
        #expect(try reports(bench, known[0]) == [PeerAddress(identity: Someone.peer)])
        #expect(try reports(bench, known[1]).isEmpty)
        let unknown = (1...2).map { Someone.address(of: Someone.strangeKey, $0) }
        for address in unknown {
            #expect(try reports(bench, .advNonconnInd(advertiser: address, data: [])) == [PeerAddress(address)])
            #expect(try reports(bench, .advNonconnInd(advertiser: address, data: [])).isEmpty)
        }
        // Who was unknown becomes known by an entry, and the other way round.
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: false)))
        try bench.know(Someone.other, peerKey: Someone.strangeKey)
        let remove = LERemoveDeviceFromResolvingList(identity: PeerAddress(Someone.peer))
        try bench.succeed(.leRemoveDeviceFromResolvingList(remove))
        try bench.scanning()
        let other = AdvertisingPDU.advNonconnInd(advertiser: unknown[0], data: [])
        #expect(try reports(bench, other) == [PeerAddress(identity: Someone.other)])
        let forgotten = try #require(known[0].advertiser)
        #expect(try reports(bench, known[0]) == [PeerAddress(forgotten)])
    }

    @Test("Remembered or not, an address resolves to the same: more addresses than are remembered")
    func manyAddresses() throws {
        let bench = try Bench()
        try bench.know()
        try bench.know(Someone.other, peerKey: Someone.otherKey)
        try bench.resolve()
        try bench.scanning()
        for round in 0..<2 {
            for number: UInt32 in 1...(round == 0 ? 1_500 : 20) {
                for (key, peer) in [
                    (Someone.peerKey, Someone.peer), (Someone.otherKey, Someone.other), (Someone.strangeKey, nil),
                ] {
                    let address = Someone.address(of: key, number)
                    let expected = peer.map { PeerAddress(identity: $0) } ?? PeerAddress(address)
                    guard try reports(bench, .advNonconnInd(advertiser: address, data: [])) == [expected] else {
                        Issue.record("\(address) number \(number)")
                        return
                    }
                }
            }
        }
    }

    // MARK: Asking

    @Test("A scan request goes out under the address for that advertiser", arguments: OwnAddressType.allCases)
    func scanRequests(own: OwnAddressType) throws {
        let isPublic = own == .public || own == .resolvableOrPublic
        let identity = isPublic ? Bench.address : Someone.ownRandom
        let prefersPrivate = own == .resolvableOrPublic || own == .resolvableOrRandom
        for isResolving in [false, true] {
            let bench = try Bench()
            try bench.setRandomAddress()
            try bench.know(mode: .device)
            try bench.know(Someone.other, peerKey: Someone.otherKey, ownKey: .zero)
            try bench.resolve(isResolving)
            try bench.keepAddresses(3_600)
            try bench.scanning(isActive: true, as: own)
            let hidden = Someone.address(of: Someone.peerKey)
            let askers: [(DeviceAddress, isPrivate: Bool)] = [
                (Someone.peer, prefersPrivate), (hidden, prefersPrivate && isResolving),
                (Someone.address(of: Someone.otherKey), false), (Someone.stranger, false),
                (Someone.address(of: Someone.strangeKey), false),
            ]
            for (advertiser, isPrivate) in askers {
                let scanner = try asks(bench, advertiser)
                if isPrivate {
                    #expect(AddressHash.resolves(scanner, key: Someone.ownKey), "\(advertiser)")
                    #expect(try bench.privateAddress(towards: Someone.peer) == scanner)
                } else {
                    #expect(scanner == identity, "\(advertiser), resolving \(isResolving)")
                }
            }
        }
    }

    /// Advertises until the scanner asks, answers it, and says who asked.
    private func asks(_ bench: Bench, _ advertiser: DeviceAddress) throws -> DeviceAddress {
        for _ in 0..<600 {
            _ = bench.takeFrames()
            _ = try bench.takeEvents()
            try #require(bench.advertise(.advScanInd(advertiser: advertiser, data: [])) != nil)
            guard let request = try? bench.nextFrame(within: .microseconds(500)) else { continue }
            guard case .scanReq(let scanner, advertiser) = try request.advertisingPDU() else { continue }
            // The answer is reported as coming from the same device.
            guard case .leAdvertisingReport(let first) = try bench.nextEvent() else { break }
            bench.answer(request, with: .scanRsp(advertiser: advertiser, data: [1, 9]))
            guard case .leAdvertisingReport(let second) = try bench.nextEvent() else { break }
            #expect(second.reports.first?.type == .scanResponse)
            #expect(second.reports.first?.peer == first.reports.first?.peer)
            return scanner
        }
        throw Unexpected("no scan request")
    }

    // MARK: Directed advertising

    private enum Told: Equatable {
        case nothing, report, unresolved
    }

    private func told(_ bench: Bench, _ advertiser: DeviceAddress, to target: DeviceAddress) throws -> Told {
        _ = try bench.takeEvents()
        let pdu = AdvertisingPDU.advDirectInd(advertiser: advertiser, target: target, supportsChannelSelection2: true)
        try #require(bench.advertise(pdu) != nil)
        switch try bench.takeEvents().first {
        case .leAdvertisingReport(let report):
            #expect(report.reports.first?.type == .directed)
            return .report
        case .leDirectedAdvertisingReport(let event):
            let report = try #require(event.reports.first)
            #expect(report.target == PeerAddress(target))
            #expect(report.type == .directed)
            #expect(report.rssi == SignalStrength(dBm: -50))
            return .unresolved
        default: return .nothing
        }
    }

    @Test("Directed advertising reaches whom it calls, by identity or by a private address of the key we gave")
    func directed() throws {
        for filter in ScanFilterPolicy.allCases {
            let isExtended = filter == .extendedFiltered || filter == .extendedUnfiltered
            for isResolving in [false, true] {
                let bench = try Bench()
                try bench.know()
                try bench.accept(Someone.peer)
                try bench.accept(Someone.stranger)
                try bench.resolve(isResolving)
                try bench.scanning(filter: filter)
                let ours = Someone.address(of: Someone.ownKey, 5), theirs = Someone.address(of: Someone.strangeKey)
                let unresolved: Told = isExtended ? .unresolved : .nothing
                let cases: [(DeviceAddress, Told)] = [
                    (Bench.address, .report), (ours, isResolving ? .report : unresolved), (theirs, unresolved),
                    (Someone.other, .nothing), (DeviceAddress(value: 7, kind: .public), .nothing),
                    // A private address that cannot be resolved by anybody is not for us.
                    (DeviceAddress(value: 0x0012_3456_789A, kind: .random), .nothing),
                ]
                for (target, expected) in cases {
                    let comment: Comment = "\(filter), resolving \(isResolving), \(target)"
                    #expect(try told(bench, Someone.stranger, to: target) == expected, comment)
                }
            }
        }
    }

    @Test("Who is called by an unknown private address is told once, if duplicates are filtered, and with the identity")
    func unresolvedReports() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.scanning(filter: .extendedUnfiltered, filtersDuplicates: true)
        let theirs = Someone.address(of: Someone.strangeKey)
        for (number, expected) in [(1, Told.unresolved), (2, .nothing)] as [(UInt32, Told)] {
            let peer = Someone.address(of: Someone.peerKey, number)
            #expect(try told(bench, peer, to: theirs) == expected)
        }
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: false)))
        try bench.scanning(filter: .extendedUnfiltered)
        let pdu = AdvertisingPDU.advDirectInd(
            advertiser: Someone.address(of: Someone.peerKey),
            target: theirs,
            supportsChannelSelection2: true
        )
        bench.advertise(pdu)
        guard case .leDirectedAdvertisingReport(let event) = try bench.nextEvent() else { throw Unexpected("no event") }
        #expect(event.reports.first?.peer == PeerAddress(identity: Someone.peer))
    }
}

import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// What the people beside two devices that pair, and their applications, are asked and told.
@Suite("Pairing and people")
struct PairingPeopleTests {
    @Test("A peripheral that asks for security is heard by the application of the central, except during a pairing")
    func securityRequest() throws {
        var pair = try Way.all[6].pair()
        try pair.perform(1) { manager, _, actions in
            try manager.requestSecurity(SecurityPair.connection, into: &actions)
        }
        #expect(pair.sent.last?.pdu == [0x0B, 0x0D])
        guard case .securityRequested(_, let requirements)? = pair.events[0].last else {
            Issue.record("the central was not asked")
            return
        }
        #expect(requirements == [.bonding, .manInTheMiddleProtection, .secureConnections])
        // Asking starts no timer, and binds nobody.
        #expect(pair.isClean)
        try pair.pair()
        #expect(pair.results(0).count == 1)

        pair.person = { _, _, _ in nil }
        try pair.pair()
        let count = pair.events[0].count
        pair.receive(0, .securityRequest([.bonding]))
        #expect(pair.events[0].count == count)
        #expect(throws: PairingOrderError.pairingUnderWay) {
            try pair.perform(1) { manager, _, actions in
                try manager.requestSecurity(SecurityPair.connection, into: &actions)
            }
        }
    }

    @Test("A central that does not want to pair says so to a peripheral that asks")
    func refuseSecurity() throws {
        var pair = try Way.all[6].pair()
        try pair.perform(0) { manager, _, actions in
            try manager.refuseSecurity(SecurityPair.connection, into: &actions)
        }
        #expect(pair.sent.last?.pdu == [0x05, 0x05])
        #expect(pair.isClean)
    }

    @Test(
        "Every key pressed is told to a peer that wants to know, and to no other",
        arguments: Way.all.filter(\.isPasskey)
    )
    func keypresses(_ way: Way) throws {
        for wishes in [[true, true], [true, false], [false, true]] {
            var pair = try way.pair { settings in
                for end in 0..<2 { settings[end].keypressNotifications = wishes[end] }
            }
            pair.person = { _, _, _ in nil }
            try pair.pair()
            let typist = way.method == .passkeyEntry(shownBy: .central) ? 1 : 0
            for keypress in Keypress.allCases {
                if wishes == [true, true] {
                    try pair.perform(typist) { manager, now, actions in
                        try manager.send(keypress, on: SecurityPair.connection, at: now, into: &actions)
                    }
                } else {
                    #expect(throws: PairingOrderError.notAsked) {
                        try pair.perform(typist) { manager, now, actions in
                            try manager.send(keypress, on: SecurityPair.connection, at: now, into: &actions)
                        }
                    }
                }
            }
            // A peer that was told not to speaks nevertheless.
            if wishes != [true, true] { pair.receive(1 - typist, .pairingKeypressNotification(.cleared)) }
            let heard = pair.events[1 - typist].compactMap { event -> Keypress? in
                if case .keypress(_, let keypress) = event { keypress } else { nil }
            }
            #expect(heard == (wishes == [true, true] ? Keypress.allCases : []))
        }
    }

    @Test("A person is asked before a request is granted, where that is wanted")
    func consent() throws {
        var pair = try Way.all[5].pair { $0[1].asksConsent = true }
        pair.person = { _, _, _ in nil }
        try pair.pair()
        guard case .consentRequested(_, let features)? = pair.events[1].last else {
            Issue.record("nobody was asked")
            return
        }
        #expect(features.inputOutput == .noInputNoOutput)
        #expect(pair.sent.count == 1)
        try pair.answer(1, .agree)
        #expect(pair.results(0).count == 1 && pair.results(1).count == 1)
        try pair.pair()
        try pair.answer(1, .refuse)
        #expect(pair.sent.last?.pdu == [0x05, 0x05])
        #expect(pair.failures(0) == [.refusedByPeer(.pairingNotSupported)])
        #expect(pair.isClean)
    }

    @Test(
        "A person is asked before Just Works goes on that this device has begun, where that is wanted",
        arguments: [Way.all[0], Way.all[5]]
    )
    func ownConsent(_ way: Way) throws {
        var pair = try way.pair { $0[0].asksBeforeJustWorks = true }
        pair.person = { _, _, _ in nil }
        try pair.pair()
        guard case .consentRequested? = pair.events[0].last else {
            Issue.record("nobody was asked")
            return
        }
        // A request and a response, and nothing that proves anything.
        #expect(pair.sent.count == 2)
        try pair.answer(0, .agree)
        #expect(pair.results(0).count == 1 && pair.results(1).count == 1)
        try pair.pair()
        try pair.answer(0, .refuse)
        #expect(pair.sent.last?.pdu == [0x05, 0x08])
        #expect(pair.failures(1) == [.refusedByPeer(.unspecified)])
        #expect(pair.isClean)
    }

    @Test(
        "Who types or compares digits is not asked before that",
        arguments: Way.all.filter { $0.method != .justWorks && $0.method != .outOfBand }
    )
    func noOwnConsent(_ way: Way) throws {
        var pair = try way.pair { $0[0].asksBeforeJustWorks = true }
        try pair.pair()
        let wasAsked = pair.events[0].contains { if case .consentRequested = $0 { true } else { false } }
        #expect(!wasAsked && pair.results(0).count == 1)
    }
}

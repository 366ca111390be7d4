import BluethroatTesting
import CoreBluetoothMock
import Testing

@Suite("Pairing and its dialogue", .air)
struct PairingTests {
    let air = Air.current

    /// Answers dialogues, and keeps what they asked.
    private final class Person {
        var questions: [CBMPairingDialogue.Question] = []
        var dialogue: CBMPairingDialogue?

        init(_ answer: @escaping (CBMPairingDialogue) -> Void = { _ in }) {
            CBMCentralManagerMock.simulatePairing = { [unowned self] dialogue in
                questions.append(dialogue.question)
                self.dialogue = dialogue
                answer(dialogue)
            }
        }
    }

    @Test("A value that needs encryption is read when the person has agreed, and not before")
    func consent() throws {
        let thermometer = Thermometer(security: .encrypted)
        let person = Person()
        let app = try air.readyApp(thermometer)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: person.questions == [.consent])
        #expect(person.dialogue?.peripheral === thermometer.spec)
        air.run(for: .seconds(5))
        #expect(app.values.isEmpty && app.errors.isEmpty && !thermometer.spec.isBonded)
        person.dialogue?.accept()
        try air.run(until: app.values == [Data([21])])
        air.run(for: .seconds(1))
        #expect(thermometer.spec.isBonded && person.questions.count == 1)
    }

    @Test("Where the person refuses, the app hears that it may not")
    func refusal() throws {
        let thermometer = Thermometer(security: .encrypted)
        let person = Person { $0.refuse() }
        let app = try air.readyApp(thermometer)
        app.peripheral?.writeValue(Data([1]), for: try app.owner(), type: .withResponse)
        try air.run(until: app.errors.count == 1)
        let code = (app.errors[0] as? CBMATTError)?.code
        #expect(code == .insufficientEncryption || code == .insufficientAuthentication)
        #expect(!thermometer.spec.isBonded && !person.questions.isEmpty && app.writeCount == 0)
    }

    @Test("A dialogue that nobody answers is over after 30 seconds")
    func silence() throws {
        let thermometer = Thermometer(security: .encrypted)
        let person = Person()
        let app = try air.readyApp(thermometer)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: !person.questions.isEmpty)
        try air.run(within: .seconds(40)) { !app.errors.isEmpty || !app.ends.isEmpty }
        person.dialogue?.accept()
        air.run(for: .seconds(2))
        #expect(app.values.isEmpty && !thermometer.spec.isBonded)
    }

    @Test("The right passkey lets an app write, a wrong one does not")
    func passkey() throws {
        for digits in ["004711", "123456"] {
            try withAir { air in
                let thermometer = Thermometer(pairing: .showsPasskey("004711"), security: .authenticated)
                CBMCentralManagerMock.simulatePeripherals([thermometer.spec])
                CBMCentralManagerMock.simulateInitialState(.poweredOn)
                let person = Person { dialogue in
                    // What is no passkey is not taken.
                    #expect(!dialogue.enter(passkey: "12"))
                    dialogue.enter(passkey: digits)
                }
                let app = ThermometerApp()
                try air.run(until: app.isReady)
                app.peripheral?.writeValue(Data([1]), for: try app.owner(), type: .withResponse)
                try air.run(until: app.writeCount + app.errors.count == 1)
                #expect(person.questions.first == .passkey)
                #expect((app.writeCount == 1) == (digits == "004711"))
            }
        }
    }

    @Test("Digits on both sides are shown to the person, who says whether they are the same")
    func comparison() throws {
        let thermometer = Thermometer(pairing: .comparesDigits, security: .authenticated)
        let person = Person { $0.accept() }
        let app = try air.readyApp(thermometer)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.values == [Data([21])])
        guard case .sameDigits(let digits)? = person.questions.first else {
            Issue.record("nobody was asked")
            return
        }
        #expect(digits.count == 6 && digits.allSatisfy(\.isNumber))
    }

    @Test("Without a person the phone agrees, and types nothing")
    func nobody() throws {
        let thermometer = Thermometer(security: .encrypted)
        let app = try air.readyApp(thermometer)
        app.peripheral?.setNotifyValue(true, for: try app.owner())
        try air.run(until: app.notifying == 1)
        try withAir { air in
            let other = Thermometer(pairing: .showsPasskey("000000"), security: .authenticated)
            CBMCentralManagerMock.simulatePeripherals([other.spec])
            CBMCentralManagerMock.simulateInitialState(.poweredOn)
            let app = ThermometerApp()
            try air.run(until: app.isReady)
            app.peripheral?.readValue(for: try app.owner())
            try air.run(until: app.errors.count == 1)
        }
    }

    @Test(
        "A peripheral that does not pair, or whose passkey is none, refuses",
        arguments: [CBMPairing.refused, .showsPasskey("12")]
    )
    func noPairing(_ pairing: CBMPairing) throws {
        let app = try air.readyApp(Thermometer(pairing: pairing, security: .encrypted))
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.errors.count == 1)
        #expect(app.values.isEmpty)
    }

    @Test("A bond lets the next connection be encrypted without a dialogue")
    func bond() throws {
        let thermometer = Thermometer(security: .encrypted)
        let person = Person { $0.accept() }
        let app = try air.readyApp(thermometer)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.values.count == 1)
        air.run(for: .seconds(1))
        thermometer.spec.simulateDisconnection()
        try air.run(until: app.ends.count == 1)
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.isReady)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.values.count == 2)
        #expect(person.questions.count == 1)
    }

    @Test("A peripheral that has lost its bond costs the connection, and the app is told why")
    func bondLoss() throws {
        let thermometer = Thermometer(security: .encrypted)
        let app = try air.readyApp(thermometer)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.values.count == 1)
        air.run(for: .seconds(1))
        thermometer.spec.simulateBondLoss()
        try air.run(until: app.ends.count == 1)
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.ends.count == 2)
        #expect((app.ends[1] as? CBMError)?.code == .peerRemovedPairingInformation)
        // A phone whose person forgets the device pairs anew.
        thermometer.spec.simulateForgetDevice()
        air.run(for: .seconds(1))
        #expect(!thermometer.spec.isBonded)
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.isReady)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.values.count == 2)
        air.run(for: .seconds(1))
        #expect(thermometer.spec.isBonded)
    }

    @Test("A phone that forgets a device ends the connection")
    func forget() throws {
        let thermometer = Thermometer(security: .encrypted)
        let app = try air.readyApp(thermometer)
        app.peripheral?.readValue(for: try app.owner())
        try air.run(until: app.values.count == 1)
        air.run(for: .seconds(1))
        thermometer.spec.simulateForgetDevice()
        try air.run(until: app.ends.count == 1)
        #expect(!thermometer.spec.isBonded)
    }
}

import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
public import BluethroatKeyFob
import BluethroatVirtualTime

extension Central {
    /// Answers that need no question to the user.
    public struct Answers: Sendable {
        /// The passkey that the peer shows.
        public var passkey: Passkey?
        /// Whether compared digits are said to be the same.
        public var agrees: Bool

        /// By default nothing is answered without asking.
        public init(passkey: Passkey? = nil, agrees: Bool = false) {
            self.passkey = passkey
            self.agrees = agrees
        }
    }

    /// A question that the person has to answer.
    fileprivate enum Question {
        case comparison(Passkey)
        case passkey
    }

    /// Pairs with the peer, and asks the person what has to be asked. Afterwards everything has arrived; that the peer went
    /// before it showed so is a failure.
    public func pair(
        _ settings: PairingSettings = PairingSettings(),
        _ answers: Answers = Answers(),
        name: String? = nil
    ) async throws(OperationFailure) -> KeyFobNotice.Pairing {
        guard let connection else { throw OperationFailure("there is no connection") }
        let id = connection.id
        try await pairingOrder { machine, now, actions throws(PairingOrderError) in
            machine.bonds?.peerName = name
            try machine.host.pair(id, settings: settings, at: now, into: &actions)
        }
        let pairing: KeyFobNotice.Pairing
        do throws(OperationFailure) {
            pairing = try await converse(id, answers)
        } catch {
            person.endPrompt(isAnswered: false)
            // After an interruption, or without an answer, the peer must not wait for 30 s.
            if self.connection != nil {
                _ = try? await pairingOrder { machine, now, actions throws(PairingOrderError) in
                    try machine.host.answer(.refuse, on: id, at: now, into: &actions)
                }
                // The peer hears why before the connection ends.
                try? await settle(id)
            }
            throw error
        }
        let peer = peer
        do throws(OperationFailure) {
            try await settle(id)
        } catch {
            // A bond that one side only has is none.
            emit(.warning("\(peer) was gone before it showed that it has the keys: pair once more"))
            throw error
        }
        return pairing
    }

    private func converse(_ id: ConnectionID, _ answers: Answers) async throws(OperationFailure) -> KeyFobNotice.Pairing
    {
        var question: Question?
        var isUnsaved = false
        while true {
            switch try await next() {
            case .host(.security(.pairing(let event))):
                question = try await react(to: event, answers) ?? question
            case .host(.security(.bondStoreFailed)): isUnsaved = true
            case .host(.security(.paired(id, let result))):
                if isUnsaved { emit(.warning("paired, but the bond was not kept")) }
                return KeyFobNotice.Pairing(result)
            case .host, .alarm, .line, .input: break
            }
            while let asked = question, !lines.isEmpty {
                question = try await take(lines.removeFirst(), as: asked, on: id) ? nil : asked
                if question == nil, person.isInteractive { lines = [] }
            }
        }
    }

    /// Answers what it can. A question for the person is asked, and returned.
    private func react(to event: PairingEvent, _ answers: Answers) async throws(OperationFailure) -> Question? {
        switch event {
        case .consentRequested(let id, _): try await answer(.agree, on: id)
        case .passkeyShown(_, let passkey): emit(.passkey(passkey))
        case .passkeyRequested(let id):
            if let passkey = answers.passkey {
                try await answer(.passkey(passkey), on: id)
            } else {
                readLines()
                emit(.passkeyWanted(connection?.peer ?? DeviceAddress(value: 0, kind: .public)))
                person.prompt("Which six digits does the other device show? ")
                return .passkey
            }
        case .comparisonRequested(let id, let digits):
            emit(.comparison(connection?.peer ?? DeviceAddress(value: 0, kind: .public), digits))
            if answers.agrees {
                try await answer(.agree, on: id)
            } else {
                readLines()
                person.prompt("Does the other device show \(digits)? [y/n] ")
                return .comparison(digits)
            }
        case .failed(_, let failure): throw .pairingFailed(failure, with: peer)
        case .keypress, .securityRequested, .finished: break
        }
        return nil
    }

    /// What the person has typed; false if it was no answer and the question stands.
    private func take(_ line: String?, as question: Question, on id: ConnectionID) async throws(OperationFailure)
        -> Bool
    {
        guard let text = line?.filter({ !$0.isWhitespace }).lowercased() else { throw .noAnswer(question.isPasskey) }
        person.endPrompt(isAnswered: true)
        switch question {
        case .passkey:
            guard let passkey = Passkey(digits: text) else {
                person.prompt("Six digits, please: ")
                return false
            }
            try await answer(.passkey(passkey), on: id)
        case .comparison(let digits):
            switch text {
            case "y", "yes": try await answer(.agree, on: id)
            case "n", "no": try await answer(.refuse, on: id)
            default:
                person.prompt("Does the other device show \(digits)? y for yes, n for no: ")
                return false
            }
        }
        return true
    }

    private func answer(_ answer: PairingAnswer, on id: ConnectionID) async throws(OperationFailure) {
        try await pairingOrder { machine, now, actions throws(PairingOrderError) in
            try machine.host.answer(answer, on: id, at: now, into: &actions)
        }
    }

    /// Waits for an answer to something that is sent behind the last keys: then they have arrived. A peer that is silent
    /// is given up after 5 s; one that is gone is a failure.
    private func settle(_ id: ConnectionID) async throws(OperationFailure) {
        let procedure = try await order { host, now, actions throws(OrderError) in
            try host.readByUUID(id, 0x2803, in: .first ... .first, at: now, into: &actions)
        }
        _ = try await wait(for: .seconds(5)) { event in
            if case .client(.procedureCompleted(procedure, _, _)) = event { () } else { nil }
        }
    }

    /// Waits until the person has pressed Return.
    package func waitForReturn(_ prompt: String) async throws(OperationFailure) {
        readLines()
        person.prompt(prompt)
        while lines.isEmpty { _ = try await next() }
        lines.removeFirst()
    }

    /// What this central has to send to the peer out of band, for LE Secure Connections.
    public func makeOutOfBandData() async throws(OperationFailure) -> OutOfBandData {
        try await order { host, _, _ throws(OrderError) in host.makeOutOfBandData() }
    }
}

extension Central.Question {
    fileprivate var isPasskey: Bool { if case .passkey = self { true } else { false } }
}

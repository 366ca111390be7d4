import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// The lower tester with the keys of an encrypted link: it seals what it sends and opens what it hears, with ciphers of
/// its own.
final class SecureTester {
    /// The specification's sample: Vol 6, Part C, 1.
    static let key = Block128(high: 0x4C68_3841_39F5_74D8, low: 0x36BC_F34E_9DFB_01BF)
    static let request = EncryptionRequest(
        rand: 0xABCD_EF12_3456_7890,
        ediv: 0x2474,
        sessionKeyDiversifier: 0xACBD_CEDF_E0F1_0213,
        initializationVector: 0xBADC_AB24
    )
    static let response = EncryptionResponse(
        sessionKeyDiversifier: 0x0213_2435_4657_6879,
        initializationVector: 0xDEAF_BABE
    )

    let link: LinkTester
    private var encryptor: LinkEncryptor?
    private var decryptor: LinkDecryptor?

    init(_ link: LinkTester) { self.link = link }

    var bench: Bench { link.bench }
    var handle: ConnectionHandle { link.handle }

    // MARK: Ciphers

    func encrypt(by session: LinkSession) {
        encryptor = LinkEncryptor(
            session,
            direction: link.role == .central ? .centralToPeripheral : .peripheralToCentral
        )
    }

    func decrypt(by session: LinkSession) {
        decryptor = LinkDecryptor(
            session,
            direction: link.role == .central ? .peripheralToCentral : .centralToPeripheral
        )
    }

    func stopEncrypting() { encryptor = nil }
    func stopDecrypting() { decryptor = nil }

    static func session(
        _ request: EncryptionRequest,
        _ response: EncryptionResponse,
        key: Block128 = SecureTester.key
    ) -> LinkSession {
        LinkSession(
            longTermKey: key,
            centralDiversifier: request.sessionKeyDiversifier,
            peripheralDiversifier: response.sessionKeyDiversifier,
            centralVector: request.initializationVector,
            peripheralVector: response.initializationVector
        )
    }

    func seal(_ payload: Payload) throws -> Payload {
        guard encryptor != nil, !payload.bytes.isEmpty else { return payload }
        var bytes = payload.bytes
        try encryptor?.encrypt(&bytes, header: DataHeader(payload.link).rawValue.lowByte)
        return Payload(link: payload.link, bytes: bytes)
    }

    func open(_ payload: Payload) throws -> Payload {
        guard decryptor != nil, payload != .empty else { return payload }
        var bytes = payload.bytes
        try decryptor?.decrypt(&bytes, header: DataHeader(payload.link).rawValue.lowByte)
        return Payload(link: payload.link, bytes: bytes)
    }

    // MARK: Conversations

    /// What came while the tester was sending. It is opened when it is looked at, by the key there is then.
    private var inbox: [Payload] = []

    func send(_ payload: Payload, sourceLocation: SourceLocation = #_sourceLocation) throws {
        inbox += try link.send(try seal(payload), sourceLocation: sourceLocation)
    }

    func send(_ pdu: ControlPDU, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try send(.control(pdu), sourceLocation: sourceLocation)
    }

    func nextPayload(within events: Int = 20, sourceLocation: SourceLocation = #_sourceLocation) throws -> Payload? {
        if !inbox.isEmpty { return try open(inbox.removeFirst()) }
        return try link.nextPayload(within: events, sourceLocation: sourceLocation).map { try open($0) }
    }

    /// Exchanges empty PDUs for so many events; nothing with a payload may have come, or come.
    func idle(events: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(inbox.isEmpty, sourceLocation: sourceLocation)
        try link.idle(events: events, sourceLocation: sourceLocation)
    }

    func nextControl(sourceLocation: SourceLocation = #_sourceLocation) throws -> ControlPDU {
        let payload = try #require(try nextPayload(sourceLocation: sourceLocation), sourceLocation: sourceLocation)
        return try #require(payload.controlPDU, "\(payload)", sourceLocation: sourceLocation)
    }

    func ask(_ pdu: ControlPDU, sourceLocation: SourceLocation = #_sourceLocation) throws -> ControlPDU {
        try send(pdu, sourceLocation: sourceLocation)
        return try nextControl(sourceLocation: sourceLocation)
    }

    // MARK: Encryption

    /// Everything up to LL_ENC_RSP; the controller is the peripheral, whose host has been asked and not answered yet.
    @discardableResult
    func requestEncryption(
        _ request: EncryptionRequest = SecureTester.request,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> EncryptionResponse {
        guard case .encRsp(let response) = try ask(.encReq(request), sourceLocation: sourceLocation) else {
            throw Unexpected("no LL_ENC_RSP")
        }
        return response
    }

    func takeKeyRequest(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let asked = Event.leLongTermKeyRequest(
            LELongTermKeyRequest(
                connection: handle,
                random: Self.request.rand,
                encryptedDiversifier: Self.request.ediv
            )
        )
        #expect(try bench.takeNews() == [asked], sourceLocation: sourceLocation)
    }

    func reply(_ key: Block128 = SecureTester.key, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let reply = LELongTermKeyRequestReply(connection: handle, longTermKey: key.littleEndianBytes)
        try bench.succeed(.leLongTermKeyRequestReply(reply), sourceLocation: sourceLocation)
    }

    /// The whole procedure with the controller as peripheral.
    func encryptAsCentral(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let response = try requestEncryption(sourceLocation: sourceLocation)
        try takeKeyRequest(sourceLocation: sourceLocation)
        try reply(sourceLocation: sourceLocation)
        try #require(try nextControl(sourceLocation: sourceLocation) == .startEncReq, sourceLocation: sourceLocation)
        let session = Self.session(Self.request, response)
        encrypt(by: session)
        decrypt(by: session)
        try #require(
            try ask(.startEncRsp, sourceLocation: sourceLocation) == .startEncRsp,
            sourceLocation: sourceLocation
        )
    }

    func order(_ key: Block128 = SecureTester.key) -> Command {
        .leEnableEncryption(
            LEEnableEncryption(
                connection: handle,
                random: Self.request.rand,
                encryptedDiversifier: Self.request.ediv,
                longTermKey: key.littleEndianBytes
            )
        )
    }

    /// LL_ENC_REQ of the controller, which is the central.
    func takeRequest(sourceLocation: SourceLocation = #_sourceLocation) throws -> EncryptionRequest {
        guard case .encReq(let request) = try nextControl(sourceLocation: sourceLocation) else {
            throw Unexpected("no LL_ENC_REQ")
        }
        #expect(request.rand == Self.request.rand && request.ediv == Self.request.ediv)
        return request
    }

    /// The whole procedure with the controller as central.
    func encryptAsPeripheral(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try bench.succeed(order(), sourceLocation: sourceLocation)
        let request = try takeRequest(sourceLocation: sourceLocation)
        try send(.encRsp(Self.response), sourceLocation: sourceLocation)
        try start(Self.session(request, Self.response), sourceLocation: sourceLocation)
    }

    /// From LL_START_ENC_REQ to the end, with the controller as central.
    func start(_ session: LinkSession, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try send(.startEncReq, sourceLocation: sourceLocation)
        decrypt(by: session)
        try #require(try nextControl(sourceLocation: sourceLocation) == .startEncRsp, sourceLocation: sourceLocation)
        encrypt(by: session)
        try send(.startEncRsp, sourceLocation: sourceLocation)
    }

    /// An encrypted link in the given role of the controller, its events taken.
    static func encrypted(as role: ConnectionRole, latency: UInt16 = 0, timeoutSteps: UInt16 = 200) throws
        -> SecureTester
    {
        let bench = try Bench()
        try bench.enableEncryptionEvents()
        let link =
            role == .peripheral
            ? try bench.connectAsPeripheral(latency: latency, timeoutSteps: timeoutSteps)
            : try bench.connectAsCentral(latency: latency, timeoutSteps: timeoutSteps)
        let tester = SecureTester(link)
        if role == .peripheral { try tester.encryptAsCentral() } else { try tester.encryptAsPeripheral() }
        #expect(try bench.takeNews() == [tester.change()])
        return tester
    }

    // MARK: Events

    func change(_ status: ControllerError = .success) -> Event {
        .encryptionChange(
            EncryptionChange(status: status, connection: handle, isEncrypted: status == .success)
        )
    }

    func refresh(_ status: ControllerError = .success) -> Event {
        .encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(status: status, connection: handle))
    }

    func disconnection(_ reason: ControllerError) -> Event {
        .disconnectionComplete(DisconnectionComplete(connection: handle, reason: reason))
    }
}

extension Bench {
    /// The events of the second page but Encryption Change [v2], which would take the place of the first version.
    func enableEncryptionEvents() throws {
        let mask = EventMaskPage2.authenticatedPayloadTimeoutExpired
        try succeed(.setEventMaskPage2(SetEventMaskPage2(mask: mask)))
    }
}

extension UInt16 {
    var lowByte: UInt8 { UInt8(truncatingIfNeeded: self) }
}

extension SecureTester {
    /// Keeps the link alive with empty PDUs until it ends; the reason, and how long it took.
    func awaitEnd(within span: TimeSpan = .seconds(60)) throws -> (reason: ControllerError, after: TimeSpan)? {
        let start = bench.now
        while bench.now - start < span {
            _ = try link.exchange()
            for case .disconnectionComplete(let event) in try bench.takeNews() {
                return (event.reason, bench.now - start)
            }
        }
        return nil
    }

    /// Exchanges empty PDUs until the link is over, which has to be at once, and without another word of the controller.
    func expectEnd(_ reason: ControllerError, sourceLocation: SourceLocation = #_sourceLocation) throws {
        bench.run(for: .milliseconds(1))
        #expect(try bench.takeNews() == [disconnection(reason)], sourceLocation: sourceLocation)
        bench.run(for: .seconds(1))
        #expect(bench.takeFrames().isEmpty, sourceLocation: sourceLocation)
    }

    /// Puts one PDU on the air with what else there is to say, and does not wait for more than its answer.
    func throwIn(_ payload: Payload) throws { _ = try link.exchange(payload) }

    func sendData(_ bytes: [UInt8]) { bench.send([2, UInt8(handle.rawValue), 0, UInt8(bytes.count), 0] + bytes) }

    /// What the host gets of data with one start.
    func received(_ bytes: [UInt8]) -> [UInt8] { [2, UInt8(handle.rawValue), 0x20, UInt8(bytes.count), 0] + bytes }

    /// Data still goes both ways, as the link is now.
    func checkTraffic(sourceLocation: SourceLocation = #_sourceLocation) throws {
        _ = bench.takePackets()
        sendData([1, 2, 3])
        #expect(try nextPayload() == .start([1, 2, 3]), sourceLocation: sourceLocation)
        try send(.start([4, 5]), sourceLocation: sourceLocation)
        #expect(bench.takePackets().contains(received([4, 5])), sourceLocation: sourceLocation)
    }
}

extension SecureTester {
    /// Sends a payload and waits for one, over exchanges in which now one side and now the other does not hear what the
    /// other acknowledges. What the controller sends again must be the same each time: `LinkTester` sees to that.
    func converse(_ payload: Payload?, _ stream: inout SeededRandom) throws -> Payload? {
        var waiting = try payload.map { try seal($0) }
        var answer: Payload?
        var number: Int?
        for _ in 0..<200 {
            var misconduct: Misconduct = []
            if stream.index(2) == 0 { misconduct.insert(.deaf) }
            if stream.index(2) == 0 { misconduct.insert(.stubborn) }
            let before = link.sentCount
            let heard = try link.exchange(waiting ?? .empty, misconduct)
            if link.sentCount > before, waiting != nil {
                waiting = nil
                number = link.sentCount
            }
            if let heard, heard.isNew, heard.payload != .empty, !misconduct.contains(.deaf) {
                answer = try open(heard.payload)
            }
            if waiting == nil, link.acknowledgedCount >= number ?? 0, let answer { return answer }
        }
        return nil
    }
}

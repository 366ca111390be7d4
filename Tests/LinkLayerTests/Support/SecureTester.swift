import AirPackets
import BluetoothCrypto
import BluetoothValues
import HCI
import LinkLayer
import Testing
import VirtualTime

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
        guard encryptor != nil, payload != .empty else { return payload }
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

    @discardableResult
    func send(_ payload: Payload, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Payload] {
        try link.send(try seal(payload), sourceLocation: sourceLocation).map { try open($0) }
    }

    @discardableResult
    func send(_ pdu: ControlPDU, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Payload] {
        try send(.control(pdu), sourceLocation: sourceLocation)
    }

    func nextPayload(within events: Int = 20, sourceLocation: SourceLocation = #_sourceLocation) throws -> Payload? {
        try link.nextPayload(within: events, sourceLocation: sourceLocation).map { try open($0) }
    }

    func nextControl(sourceLocation: SourceLocation = #_sourceLocation) throws -> ControlPDU {
        let payload = try #require(try nextPayload(sourceLocation: sourceLocation), sourceLocation: sourceLocation)
        return try #require(payload.controlPDU, "\(payload)", sourceLocation: sourceLocation)
    }

    func ask(_ pdu: ControlPDU, sourceLocation: SourceLocation = #_sourceLocation) throws -> ControlPDU {
        let news = try send(pdu, sourceLocation: sourceLocation)
        guard let first = news.first else { return try nextControl(sourceLocation: sourceLocation) }
        return try #require(first.controlPDU, "\(first)", sourceLocation: sourceLocation)
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
        // The answer to this is encrypted already.
        let news = try send(.startEncReq, sourceLocation: sourceLocation)
        decrypt(by: session)
        let answer = try news.first.map { try open($0) }?.controlPDU ?? nextControl(sourceLocation: sourceLocation)
        try #require(answer == .startEncRsp, sourceLocation: sourceLocation)
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

import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatLinkLayer

/// A peer that mostly does what is right in an encryption procedure, and now and then something else.
final class FuzzedEncryptionPeer {
    private static let marker = [UInt8]("never in the clear".utf8)
    private let link: LinkTester
    private let shadow: ShadowTester
    private let secure: SecureTester
    private(set) var isAlive = true
    private(set) var encryptions = 0
    private(set) var refreshes = 0
    /// Whether the host was told that the link is encrypted.
    private var isTrusted = false
    private var ownRequest: EncryptionRequest?
    private var theirRequest: EncryptionRequest?
    private var theirSession: LinkSession?
    private var answer: Payload?
    private var isEncrypting = false
    private var isPausing = false

    init(_ link: LinkTester) {
        self.link = link
        shadow = ShadowTester(link)
        secure = SecureTester(link)
    }

    private var bench: Bench { link.bench }

    /// One order of the host or none, and one PDU.
    func play(manners: Int, _ stream: inout FuzzInput) {
        if stream.index(8) == 0 { bench.send(hostOrder(&stream)) }
        if isTrusted, stream.index(4) == 0 { secure.sendData(Self.marker) }
        isAlive = shadow.awaitListening(within: .seconds(5))
        listen()
        guard isAlive, !shadow.isBusy else {
            isAlive = shadow.send(.empty)
            listen()
            return hear(&stream)
        }
        let isRude = stream.index(manners) == 0
        let payload = isRude ? rudePayload(&stream) : politePayload(&stream)
        isAlive = shadow.send(payload, moreData: stream.index(4) == 0)
        listen()
        hear(&stream)
    }

    // MARK: What comes back

    private func hear(_ stream: inout FuzzInput) {
        for packet in bench.takePackets() where packet[0] == PacketIndicator.event.rawValue {
            switch try? Event(parsing: packet) {
            case .disconnectionComplete: isAlive = false
            case .encryptionChange(let event) where event.status == .success:
                isTrusted = true
                encryptions += 1
            case .encryptionKeyRefreshComplete(let event) where event.status == .success: refreshes += 1
            case .leLongTermKeyRequest where stream.index(20) > 0:
                let reply = LELongTermKeyRequestReply(
                    connection: link.handle,
                    longTermKey: SecureTester.key.littleEndianBytes
                )
                bench.send(Command.leLongTermKeyRequestReply(reply).packet())
            default: break
            }
        }
    }

    private func listen() {
        for payload in shadow.takeHeard() {
            if isTrusted {
                let isPlain = payload.bytes.count >= 8 && Self.contains(payload.bytes, Self.marker.prefix(8))
                hold(!isPlain, "data in the clear")
            }
            guard let plain = try? secure.open(payload), plain.link == .control else { continue }
            react(to: plain.controlPDU)
        }
    }

    private func react(to pdu: ControlPDU?) {
        switch pdu {
        case .encReq(let request):
            theirRequest = request
            answer = .control(.encRsp(SecureTester.response))
        case .encRsp(let response):
            guard let ownRequest else { return }
            theirSession = SecureTester.session(ownRequest, response)
        case .startEncReq:
            guard let session = theirSession else { return }
            secure.encrypt(by: session)
            secure.decrypt(by: session)
            answer = .control(.startEncRsp)
        case .startEncRsp where link.role == .peripheral: answer = .control(.startEncRsp)
        case .pauseEncReq: answer = .control(.pauseEncRsp)
        case .pauseEncRsp where link.role == .central:
            secure.stopEncrypting()
            answer = .control(.pauseEncRsp)
            isPausing = true
        case .pingReq: answer = .control(.pingRsp)
        default: break
        }
    }

    private static func contains(_ bytes: [UInt8], _ part: ArraySlice<UInt8>) -> Bool {
        (0...(bytes.count - part.count)).contains { bytes[$0..<($0 + part.count)].elementsEqual(part) }
    }

    // MARK: What goes out

    /// The next step of a procedure, or nothing.
    private func politePayload(_ stream: inout FuzzInput) -> Payload {
        if let answer {
            self.answer = nil
            return sent(answer)
        }
        if link.role == .central, stream.index(6) == 0 {
            if isEncrypting, !isPausing { return sent(.control(.pauseEncReq)) }
            if !isEncrypting || isPausing {
                let request = EncryptionRequest(
                    rand: 1,
                    ediv: 2,
                    sessionKeyDiversifier: stream.next(),
                    initializationVector: 7
                )
                ownRequest = request
                isPausing = false
                secure.stopEncrypting()
                secure.stopDecrypting()
                isEncrypting = true
                return .control(.encReq(request))
            }
        }
        if link.role == .peripheral, theirRequest != nil, theirSession == nil, stream.index(4) == 0 {
            return startRequest()
        }
        return .empty
    }

    private func sent(_ payload: Payload) -> Payload {
        guard let sealed = try? secure.seal(payload) else { return .empty }
        switch payload.controlPDU {
        case .pauseEncRsp:
            // A peripheral's last encrypted PDU; what the central sends after it is in the clear.
            secure.stopEncrypting()
            secure.stopDecrypting()
            theirSession = nil
            theirRequest = nil
        case .encRsp: theirSession = nil
        default: break
        }
        return sealed
    }

    /// LL_START_ENC_REQ, the answer to which is encrypted.
    private func startRequest() -> Payload {
        guard let request = theirRequest else { return .empty }
        let session = SecureTester.session(request, SecureTester.response)
        theirSession = session
        secure.decrypt(by: session)
        secure.encrypt(by: session)
        return .control(.startEncReq)
    }

    private func rudePayload(_ stream: inout FuzzInput) -> Payload {
        let controls: [ControlPDU] = [
            .encReq(SecureTester.request), .encRsp(SecureTester.response), .startEncReq, .startEncRsp, .pauseEncReq,
            .pauseEncRsp, .pingReq, .pingRsp, .rejectInd(.pinOrKeyMissing), .rejectExtInd(.encReq, .pinOrKeyMissing),
            .rejectExtInd(.pauseEncReq, .unspecifiedError), .unknownRsp(.encReq), .unknownRsp(.pauseEncReq),
        ]
        var payload: Payload
        switch stream.index(8) {
        case 0, 1, 2: payload = .control(stream.pick(controls))
        case 3: payload = FuzzedAir.payload(from: &stream, eventsAhead: 10)
        case 4: payload = Payload(link: .control, bytes: stream.bytes(1 + stream.index(26)))
        case 5: payload = stream.index(2) == 0 ? .start([1, 2, 3]) : .continuation([4])
        default: payload = .control(stream.pick(controls))
        }
        if stream.index(2) == 0, let sealed = try? secure.seal(payload) { payload = sealed }
        if stream.index(4) == 0 { payload.bytes = Array(stream.mutate(payload.bytes).prefix(31)) }
        return payload.bytes.isEmpty ? .empty : payload
    }

    private func hostOrder(_ stream: inout FuzzInput) -> [UInt8] {
        switch stream.index(12) {
        case 0, 1, 2, 3, 4: return secure.order().packet()
        case 5:
            return Command.leLongTermKeyRequestNegativeReply(
                LELongTermKeyRequestNegativeReply(connection: link.handle)
            ).packet()
        case 6:
            return Command.leLongTermKeyRequestReply(
                LELongTermKeyRequestReply(connection: link.handle, longTermKey: stream.bytes(16))
            ).packet()
        case 7:
            return Command.writeAuthenticatedPayloadTimeout(
                WriteAuthenticatedPayloadTimeout(connection: link.handle, timeout: UInt16(stream.index(200)))
            ).packet()
        default: return HostRequests.packet(link.handle, from: &stream)
        }
    }

    // MARK: The end

    /// A link that has survived can still be ended, in the time that the specification allows.
    func checkEnd(_ stream: inout FuzzInput) throws {
        guard isAlive else { return }
        bench.send(
            Command.disconnect(Disconnect(connection: link.handle, reason: .remoteUserTerminatedConnection)).packet()
        )
        let start = bench.now
        while isAlive, bench.now - start < .seconds(45) {
            isAlive = shadow.send(.empty, within: .seconds(1))
            listen()
            hear(&stream)
        }
        bench.run(for: .seconds(45))
        hear(&stream)
        hold(!isAlive && bench.controller.connectionCount == 0, "the link is stuck")
    }
}

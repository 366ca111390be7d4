import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

/// Two controllers with a link between them that their hosts encrypt with one key.
final class EncryptedPair {
    enum Outcome: Hashable {
        case changed, refreshed
        case disconnected(ControllerError)
        case failed(ControllerError)
    }

    let air: ControllerAir
    let central = 0, peripheral = 1
    let handles: [ConnectionHandle]
    /// Data that came, by its number.
    private(set) var received: [[Int]] = [[], []]
    private var sent = [0, 0]
    private var inBuffers = [0, 0]

    init(seed: UInt64, intervalSteps: UInt16 = 12, latency: UInt16 = 0, octets: UInt16 = 27) throws {
        air = ControllerAir(seed: seed)
        for index in 0..<2 {
            air.add()
            try air.succeed(
                .leWriteSuggestedDefaultDataLength(
                    LEWriteSuggestedDefaultDataLength(transmitOctets: octets, transmitTime: 2_120)
                ),
                at: index
            )
        }
        let both = try air.connect(0, to: 1, intervalSteps: intervalSteps, latency: latency, timeoutSteps: 600)
        handles = [both.central, both.peripheral]
        air.run(for: .milliseconds(200))
    }

    // MARK: Encryption

    func order(_ key: Block128 = SecureTester.key) throws {
        try air.succeed(
            .leEnableEncryption(LEEnableEncryption(connection: handles[0], longTermKey: key.littleEndianBytes)),
            at: central
        )
    }

    /// Encrypts the link, or changes its key; what came of it on both sides, which must agree.
    func encrypt(
        _ key: Block128 = SecureTester.key,
        within span: TimeSpan = .seconds(10),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        try order(key)
        return try finishEncryption(key, within: span, sourceLocation: sourceLocation)
    }

    /// The peripheral's host gives the key when it is asked.
    func finishEncryption(
        _ key: Block128 = SecureTester.key,
        within span: TimeSpan = .seconds(10),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        var outcomes: [Outcome?] = [nil, nil]
        let end = air.now + span
        while air.now < end, outcomes.contains(nil) {
            air.run(for: .milliseconds(5))
            answer(with: key)
            for index in 0..<2 where outcomes[index] == nil { outcomes[index] = takeOutcome(at: index) }
        }
        #expect(outcomes[0] == outcomes[1], sourceLocation: sourceLocation)
        return try #require(outcomes[0], sourceLocation: sourceLocation)
    }

    func answer(with key: Block128) {
        let requests = air.takeEvents(at: peripheral) { event -> ConnectionHandle? in
            if case .leLongTermKeyRequest(let request) = event { request.connection } else { nil }
        }
        for handle in requests {
            let reply = LELongTermKeyRequestReply(connection: handle, longTermKey: key.littleEndianBytes)
            air.send(.leLongTermKeyRequestReply(reply), to: peripheral)
            air.stations[peripheral].packets.removeLast()
        }
        agreeToParameters()
    }

    /// Either host agrees to what the other side's asks for.
    private func agreeToParameters() {
        for index in 0..<2 {
            let requests = air.takeEvents(at: index) { event -> LERemoteConnectionParameterRequest? in
                if case .leRemoteConnectionParameterRequest(let request) = event { request } else { nil }
            }
            for request in requests {
                let reply = LERemoteConnectionParameterRequestReply(
                    connection: request.connection,
                    minimumInterval: request.minimumInterval,
                    maximumInterval: request.maximumInterval,
                    maximumLatency: request.maximumLatency,
                    supervisionTimeout: request.supervisionTimeout
                )
                air.send(.leRemoteConnectionParameterRequestReply(reply), to: index)
            }
        }
    }

    func takeOutcome(at index: Int) -> Outcome? {
        air.takeEvents(at: index) { event -> Outcome? in
            switch event {
            case .encryptionChange(let event): event.status == .success ? .changed : .failed(event.status)
            case .encryptionKeyRefreshComplete(let event): event.status == .success ? .refreshed : .failed(event.status)
            case .disconnectionComplete(let event): .disconnected(event.reason)
            default: nil
            }
        }.first
    }

    // MARK: Data

    /// Hands over as many numbered packets as there are buffers for; no more than `limit` in all.
    func feed(_ index: Int, upTo limit: Int, length: (Int) -> Int) {
        while sent[index] < limit, inBuffers[index] < 12 {
            let number = sent[index], count = length(number)
            let data =
                [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: UInt8(number & 0xFF), count: count)
            air.send([2, UInt8(handles[index].rawValue), 0, UInt8(data.count), 0] + data, to: index)
            sent[index] += 1
            inBuffers[index] += 1
        }
    }

    func collect() {
        for index in 0..<2 {
            // Continuations have no number of their own.
            received[index] += air.takeData(at: index).filter { $0[2] >> 4 == 2 }.map { Int($0[5]) | Int($0[6]) << 8 }
            inBuffers[index] -= air.takeEvents(at: index) { event -> Int? in
                guard case .numberOfCompletedPackets(let event) = event else { return nil }
                return event.completed.reduce(0) { $0 + Int($1.count) }
            }.reduce(0, +)
        }
    }

    /// Sends so many more packets in each direction, which all arrive, once and in order.
    func exchange(
        count: Int,
        length: @escaping (Int) -> Int = { $0 % 40 },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let goal = sent[0] + count
        for _ in 0..<3_000 where received.contains(where: { $0.count < goal }) {
            for index in 0..<2 { feed(index, upTo: goal, length: length) }
            air.run(for: .milliseconds(10))
            collect()
        }
        #expect(received == [Array(0..<goal), Array(0..<goal)], sourceLocation: sourceLocation)
    }
}

import CoreBluetooth

/// One end of an L2CAP channel, on a thread with a run loop of its own: sends what there is to send, keeps what comes.
///
/// The publisher's end closes when it has sent and received everything, so that the central knows that all has arrived
/// when its input ends.
///
/// `@unchecked Sendable`: after `begin` it is used on that thread only.
final class ChannelEnd: NSObject, StreamDelegate, @unchecked Sendable {
    private let channel: CBL2CAPChannel
    private let toSend: Data
    private let expected: Int
    private let closesFirst: Bool
    private let tell: Story
    private var sent = 0
    private var received = Data()
    private var hasEnded = false

    init(_ channel: CBL2CAPChannel, _ plan: Plan, closesFirst: Bool, tell: @escaping Story) {
        self.channel = channel
        toSend = Payload.bytes(plan.channelSends)
        expected = plan.channelReceives
        self.closesFirst = closesFirst
        self.tell = tell
    }

    func begin() {
        Thread.detachNewThread { [self] in
            for stream in [channel.inputStream, channel.outputStream] as [Stream] {
                stream.delegate = self
                stream.schedule(in: .current, forMode: .default)
                stream.open()
            }
            while !hasEnded, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasBytesAvailable: pull()
        case .hasSpaceAvailable: push()
        case .endEncountered: end()
        case .errorOccurred:
            tell("failed", ["error": "\(stream.streamError.map { "\($0)" } ?? "an error without a name")"])
            end()
        default: break
        }
        if closesFirst, sent == toSend.count, received.count >= expected { end() }
    }

    private func pull() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while channel.inputStream.hasBytesAvailable {
            let count = channel.inputStream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            received += buffer[..<count]
        }
    }

    private func push() {
        while sent < toSend.count, channel.outputStream.hasSpaceAvailable {
            let piece = toSend[sent..<min(sent + (16 << 10), toSend.count)]
            let count = piece.withUnsafeBytes { bytes in
                channel.outputStream.write(bytes.bindMemory(to: UInt8.self).baseAddress!, maxLength: bytes.count)
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        channel.inputStream.close()
        channel.outputStream.close()
        tell(
            "channel",
            ["sent": sent, "received": received.count, "intact": received == Payload.bytes(expected)]
        )
    }
}

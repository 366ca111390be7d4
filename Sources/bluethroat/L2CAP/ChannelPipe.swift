import Host
import VirtualTime

/// Carries standard input into a channel and what comes out of it to standard output, until one of the two ends.
struct ChannelPipe {
    /// The longest SDU that is sent, however long the peer takes them.
    private static let longestPiece = 16_384

    private let central: Central
    private let channel: ChannelDescription
    private let isJSON: Bool

    init(_ central: Central, _ channel: ChannelDescription, json: Bool) {
        self.central = central
        self.channel = channel
        isJSON = json
    }

    func run(sends: Bool) async throws(CommandFailure) {
        let input = ChannelInput()
        var progress = ChannelProgress(
            total: sends ? ChannelInput.byteCount : nil,
            at: central.present,
            shows: StandardError.isTerminal && !isJSON
        )
        if sends { central.hear(input, inPiecesOf: min(channel.peerMTU, Self.longestPiece)) }
        // What was read and has not found room yet.
        var waiting: [[UInt8]] = []
        var hasEnded = false
        do throws(CommandFailure) {
            while true {
                switch try await central.nextOfPipe() {
                case .input(let piece):
                    if piece.isEmpty { hasEnded = true } else { waiting.append(piece) }
                    try await sendWaiting(&waiting, hasEnded, input, &progress)
                case .channel(.readyToSend(channel.id)):
                    try await sendWaiting(&waiting, hasEnded, input, &progress)
                case .channel(.received(channel.id, let sdu)):
                    StandardOutput.writeBytes(sdu)
                    progress.add(received: sdu.count, at: central.present)
                    try await consume()
                case .channel(.closed(channel.id, let reason)):
                    progress.end()
                    tell(reason, progress)
                    return try check(reason, hasLost: hasEnded || !waiting.isEmpty)
                default: continue
                }
            }
        } catch {
            progress.end()
            if error == .interruption { await giveUp() }
            throw error
        }
    }

    /// Sends what finds room, and closes the channel behind the last of it.
    private func sendWaiting(
        _ waiting: inout [[UInt8]],
        _ hasEnded: Bool,
        _ input: ChannelInput,
        _ progress: inout ChannelProgress
    ) async throws(CommandFailure) {
        while let piece = waiting.first {
            guard try await send(piece) else { return }
            waiting.removeFirst()
            progress.add(sent: piece.count, at: central.present)
            input.taken()
        }
        if hasEnded { try await close(discarding: false) }
    }

    private func send(_ piece: [UInt8]) async throws(CommandFailure) -> Bool {
        let id = channel.id
        return try await central.order { host, now, actions in
            // A channel that is gone takes nothing; that it is gone comes next.
            (try? host.send(piece, on: id, at: now, into: &actions)) ?? true
        }
    }

    /// Closes the channel before the connection goes, if the peer answers at once.
    private func giveUp() async {
        let id = channel.id
        try? await close(discarding: true)
        _ = try? await central.wait(for: .seconds(1)) { event in
            if case .channel(.closed(id, _)) = event { () } else { nil }
        }
    }

    private func consume() async throws(CommandFailure) {
        let id = channel.id
        try await central.order { host, now, actions in host.consume(of: id, at: now, into: &actions) }
    }

    private func close(discarding: Bool) async throws(CommandFailure) {
        let id = channel.id
        try await central.order { host, now, actions in
            try? host.closeChannel(id, discarding: discarding, at: now, into: &actions)
        }
    }

    private func tell(_ reason: ChannelCloseReason, _ progress: ChannelProgress) {
        central.tell(
            .channelClosed(
                reason,
                sent: progress.sent,
                received: progress.received,
                lasted: progress.span(at: central.present)
            )
        )
        if !isJSON { StandardError.write(progress.summary(at: central.present)) }
    }

    /// An end that lost something is a failure.
    private func check(_ reason: ChannelCloseReason, hasLost: Bool) throws(CommandFailure) {
        switch reason {
        case .closedHere: return
        case .closedByPeer:
            guard hasLost else { return }
            throw CommandFailure("\(central.peer) closed the channel before it had all that was sent")
        case .violation, .disconnected:
            throw CommandFailure("the channel to \(central.peer) is closed: \(reason.sentence)")
        }
    }
}

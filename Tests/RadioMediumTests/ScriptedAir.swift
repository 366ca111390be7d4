import BluethroatBluetoothValues
import BluethroatVirtualTime

@testable import BluethroatRadioMedium

/// A frame of a scripted air, and what may happen to it.
struct ScriptedFrame {
    /// When its preamble begins, in microseconds.
    var start: Int64
    /// How loudly the receiver hears it, in dBm.
    var strength: Int8 = -50
    /// Access address to CRC.
    var bytes = 46
    var channel: UInt8 = 37
    var phy = PHY.le1M
    /// 1 is the one that the receiver listens for.
    var syncWord: UInt32 = 1
    /// When its radio breaks it off, in microseconds.
    var brokenOff: Int64?

    /// Something on the air that the receiver does not listen for.
    static func noise(_ start: Int64, _ strength: Int8, bytes: Int = 46, brokenOff: Int64? = nil) -> Self {
        Self(start: start, strength: strength, bytes: bytes, syncWord: 2, brokenOff: brokenOff)
    }

    /// Preamble of one byte on LE 1M, of two on LE 2M.
    var end: Int64 { start + (phy == .le2M ? 4 * Int64(bytes + 2) : 8 * Int64(bytes + 1)) }
}

/// What a receiver makes of a frame.
enum FrameOutcome: Equatable {
    case missed
    case clean
    /// Some bits are wrong, none of them before the byte.
    case damaged(from: Int)
}

/// One receiver at the origin, a transmitter of its own for each frame one metre away, and a script.
struct ScriptedAir {
    /// When the receiver begins to listen, in nanoseconds, and the latest start of a frame that it waits for.
    var listensFrom: Int64 = 0
    var listensUntil: Int64 = 10_000_000
    /// When it stops, in microseconds.
    var stops: Int64?
    /// When it turns to another channel, in microseconds.
    var turnsAway: Int64?
    /// When it transmits itself, in microseconds.
    var transmits: Int64?
    var propagation = Propagation(shadowing: 0)
    /// The receiver's own, in dBm, and when it gets it, in nanoseconds.
    var sensitivity: (dBm: Int8, at: Int64)?
    var frames: [ScriptedFrame]

    private enum Step {
        case listen
        case sharpen
        case stop
        case turnAway
        case transmit
        case begin(Int)
        case breakOff(Int)
        case end(Int)
    }

    /// Plays the script; what becomes of each frame. Of equal instants what breaks off comes first, then ends, then frames as they are written.
    func play(seed: UInt64 = 1) -> (outcomes: [FrameOutcome], collisions: Collisions) {
        var medium = Medium(seed: seed, propagation: propagation)
        let receiver = medium.addRadio(at: .origin)
        let transmitters = frames.map { _ in medium.addRadio(at: .metres(x: 1)) }

        var steps: [(nanoseconds: Int64, rank: Int, step: Step)] = [(listensFrom, 1, .listen)]
        if let sensitivity { steps.append((sensitivity.at, 0, .sharpen)) }
        if let stops { steps.append((stops * 1_000, 1, .stop)) }
        if let turnsAway { steps.append((turnsAway * 1_000, 1, .turnAway)) }
        if let transmits { steps.append((transmits * 1_000, 1, .transmit)) }
        for (index, frame) in frames.enumerated() {
            steps.append((frame.start * 1_000, 2 + index, .begin(index)))
            steps.append((frame.end * 1_000, 0, .end(index)))
            if let brokenOff = frame.brokenOff { steps.append((brokenOff * 1_000, -1, .breakOff(index))) }
        }
        steps.sort { ($0.nanoseconds, $0.rank) < ($1.nanoseconds, $1.rank) }

        var outcomes = [FrameOutcome](repeating: .missed, count: frames.count)
        var inFlight: [Int: TransmissionID] = [:]
        for (nanoseconds, _, step) in steps {
            let now = Instant(nanoseconds: nanoseconds)
            switch step {
            case .listen: _ = listen(receiver, on: 37, from: now, in: &medium)
            case .turnAway: _ = listen(receiver, on: 38, from: now, in: &medium)
            case .sharpen:
                medium.setSensitivity(sensitivity.map { SignalStrength(dBm: $0.dBm) }, of: receiver)
            case .stop: medium.stopListening(receiver)
            case .transmit:
                _ = medium.begin(transmission(ScriptedFrame(start: nanoseconds / 1_000, strength: -90), receiver))
            case .begin(let index): inFlight[index] = medium.begin(transmission(frames[index], transmitters[index]))
            case .breakOff(let index):
                if let id = inFlight[index] { medium.breakOff(id, at: now) }
            case .end(let index):
                guard let id = inFlight[index] else { continue }
                var deliveries: [Delivery] = []
                let sent = medium.end(id, into: &deliveries)
                for delivery in deliveries where delivery.receiver == receiver {
                    outcomes[index] = outcome(of: delivery, sent: sent)
                }
            }
        }
        return (outcomes, medium.collisions)
    }

    private func listen(_ radio: RadioID, on channel: UInt8, from: Instant, in medium: inout Medium) -> UInt32 {
        medium.listen(
            radio,
            on: Self.channel(channel),
            phy: .le1M,
            syncWord: 1,
            from: from,
            until: Instant(nanoseconds: listensUntil)
        )
    }

    private func transmission(_ frame: ScriptedFrame, _ radio: RadioID) -> Transmission {
        Transmission(
            radio: radio,
            channel: Self.channel(frame.channel),
            phy: frame.phy,
            // The first metre takes 40 dB.
            power: SignalStrength(dBm: frame.strength + 40),
            syncWord: frame.syncWord,
            start: .zero + .microseconds(frame.start),
            end: .zero + .microseconds(frame.end),
            frame: [UInt8](repeating: 0x5A, count: frame.bytes)
        )
    }

    private func outcome(of delivery: Delivery, sent: Transmission) -> FrameOutcome {
        let received = delivery.reception.frame
        guard delivery.isDamaged else { return received == sent.frame ? .clean : .missed }
        guard let first = received.indices.first(where: { received[$0] != sent.frame[$0] }) else { return .clean }
        return .damaged(from: first)
    }

    private static func channel(_ index: UInt8) -> ChannelIndex {
        guard let channel = ChannelIndex(index) else { preconditionFailure("no channel \(index)") }
        return channel
    }
}

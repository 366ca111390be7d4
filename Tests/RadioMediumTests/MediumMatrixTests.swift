import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium

/// What one receiver makes of a script, in a few words each. Times are microseconds, or nanoseconds where so named.
struct MediumCase: CustomTestStringConvertible, Sendable {
    let name: String
    let air: @Sendable () -> ScriptedAir
    let expected: [ExpectedOutcome]

    var testDescription: String { name }

    init(_ name: String, _ expected: ExpectedOutcome..., air: @escaping @Sendable () -> ScriptedAir) {
        self.name = name
        self.expected = expected
        self.air = air
    }
}

enum ExpectedOutcome: Sendable {
    case missed
    case clean
    /// Damaged, and every byte that was over before this many microseconds of the frame is as it was sent.
    case damaged(after: Int64)
}

@Suite("Who hears what: the medium's matrix")
struct MediumMatrixTests {
    @Test("Lock-on", arguments: lockOnCases)
    func lockOn(_ example: MediumCase) { check(example) }

    @Test("Capture of the louder of two frames", arguments: captureCases)
    func capture(_ example: MediumCase) { check(example) }

    @Test("Frames that are broken off", arguments: brokenOffCases)
    func brokenOff(_ example: MediumCase) { check(example) }

    private func check(_ example: MediumCase) {
        let air = example.air()
        // Which bits are flipped follows from the seed; where the damage may begin does not.
        for seed in 0..<20 as Range<UInt64> {
            let (outcomes, _) = air.play(seed: seed)
            #expect(outcomes.count == example.expected.count)
            for (index, expected) in example.expected.enumerated() {
                let outcome = outcomes[index]
                switch expected {
                case .missed: #expect(outcome == .missed, "frame \(index), seed \(seed)")
                case .clean: #expect(outcome == .clean, "frame \(index), seed \(seed)")
                case .damaged(let after):
                    guard case .damaged(let first) = outcome else {
                        Issue.record("frame \(index) is \(outcome), seed \(seed)")
                        continue
                    }
                    // The preamble is one byte of the time on the air; access address and header stay whole.
                    let whole = max(Int(after / 8) - 1, 6)
                    #expect(first >= min(whole, air.frames[index].bytes - 1), "frame \(index), seed \(seed)")
                }
            }
        }
    }

    static let lockOnCases = [
        MediumCase("listening before the frame begins", .clean) { ScriptedAir(frames: [ScriptedFrame(start: 100)]) },
        MediumCase("listening from the frame's first instant on", .clean) {
            ScriptedAir(listensFrom: 100_000, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("listening from the preamble's last instant on", .clean) {
            ScriptedAir(listensFrom: 108_000, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("listening one nanosecond after the preamble", .missed) {
            ScriptedAir(listensFrom: 108_001, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("a frame that begins with the window's last instant", .clean) {
            ScriptedAir(listensUntil: 100_000, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("a frame that begins one nanosecond after the window", .missed) {
            ScriptedAir(listensUntil: 99_999, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("a frame on another channel", .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, channel: 38)])
        },
        MediumCase("a frame on another PHY", .missed) { ScriptedAir(frames: [ScriptedFrame(start: 100, phy: .le2M)]) },
        MediumCase("a frame with another sync word", .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, syncWord: 2)])
        },
        MediumCase("a frame as weak as the receiver's sensitivity", .clean) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, strength: -95)])
        },
        MediumCase("a frame one decibel below the sensitivity", .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, strength: -96)])
        },
        MediumCase("a deaf receiver hears what is loud enough for it", .clean, .missed) {
            ScriptedAir(
                propagation: Propagation(shadowing: 0, sensitivity: SignalStrength(dBm: -40)),
                frames: [ScriptedFrame(start: 100, strength: -40), ScriptedFrame(start: 1_000, strength: -41)]
            )
        },
        MediumCase("a receiver that hears more than others", .clean) {
            ScriptedAir(sensitivity: (-110, at: 0), frames: [ScriptedFrame(start: 100, strength: -110)])
        },
        MediumCase("a frame that is too weak for it, too", .missed) {
            ScriptedAir(sensitivity: (-110, at: 0), frames: [ScriptedFrame(start: 100, strength: -111)])
        },
        MediumCase("a receiver that hears more from when it listens already", .clean) {
            ScriptedAir(sensitivity: (-110, at: 50_000), frames: [ScriptedFrame(start: 100, strength: -100)])
        },
        MediumCase("one reception ends the listening", .clean, .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), ScriptedFrame(start: 1_000)])
        },
        MediumCase("stopping in the middle of a frame", .missed) {
            ScriptedAir(stops: 200, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("stopping after the frame", .clean) { ScriptedAir(stops: 500, frames: [ScriptedFrame(start: 100)]) },
        MediumCase("turning to another channel in the middle of a frame", .missed) {
            ScriptedAir(turnsAway: 200, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("turning to the other channel in time", .missed, .clean) {
            ScriptedAir(turnsAway: 50, frames: [ScriptedFrame(start: 100), ScriptedFrame(start: 1_000, channel: 38)])
        },
        MediumCase("transmitting in the middle of a frame", .missed) {
            ScriptedAir(transmits: 200, frames: [ScriptedFrame(start: 100)])
        },
        MediumCase("transmitting before the frame ends the listening", .missed) {
            ScriptedAir(transmits: 50, frames: [ScriptedFrame(start: 500)])
        },
        MediumCase("the shortest frame", .clean) { ScriptedAir(frames: [ScriptedFrame(start: 100, bytes: 9)]) },
        MediumCase("the longest frame", .clean) { ScriptedAir(frames: [ScriptedFrame(start: 100, bytes: 264)]) },
    ]

    static let captureCases = [
        MediumCase("a rival from before, eight decibels weaker", .missed, .clean) {
            ScriptedAir(frames: [.noise(50, -58), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival from before, seven decibels weaker", .missed, .missed) {
            ScriptedAir(frames: [.noise(50, -57), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival from before, as loud", .missed, .missed) {
            ScriptedAir(frames: [.noise(50, -50), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival from before, louder", .missed, .missed) {
            ScriptedAir(frames: [.noise(50, -30), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival that ends when the frame begins", .missed, .clean) {
            ScriptedAir(frames: [.noise(100, -30, bytes: 9), ScriptedFrame(start: 180)])
        },
        MediumCase("a rival that ends a microsecond after the frame began", .missed, .missed) {
            ScriptedAir(frames: [.noise(100, -30, bytes: 9), ScriptedFrame(start: 179)])
        },
        MediumCase("a later rival, eight decibels weaker", .clean, .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(300, -58)])
        },
        MediumCase("a later rival, seven decibels weaker", .damaged(after: 200), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(300, -57)])
        },
        MediumCase("a later rival, louder, takes nothing over", .damaged(after: 200), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), ScriptedFrame(start: 300, strength: -20)])
        },
        MediumCase("a later rival that is over before the frame", .damaged(after: 100), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(200, -50, bytes: 9)])
        },
        MediumCase("a later rival within the access address leaves the header whole", .damaged(after: 16), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(116, -50)])
        },
        MediumCase("a later rival in the frame's last byte", .damaged(after: 368), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(470, -50)])
        },
        MediumCase("two later rivals: damage begins with the first", .damaged(after: 100), .missed, .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(200, -50), .noise(300, -50)])
        },
        MediumCase("a weak later rival before a strong one", .damaged(after: 200), .missed, .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(200, -70), .noise(300, -50)])
        },
        MediumCase("rivals do not add up", .missed, .missed, .clean) {
            ScriptedAir(frames: [.noise(50, -58), .noise(60, -58), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival on another channel", .missed, .clean) {
            ScriptedAir(frames: [ScriptedFrame(start: 50, channel: 38, syncWord: 2), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival on another PHY of the channel", .missed, .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 50, phy: .le2M, syncWord: 2), ScriptedFrame(start: 100)])
        },
        MediumCase("of two at one instant the first is received, and damaged", .damaged(after: 0), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), ScriptedFrame(start: 100)])
        },
        MediumCase("of two at one instant the second is drowned where the first is noise", .missed, .missed) {
            ScriptedAir(frames: [.noise(100, -50), ScriptedFrame(start: 100)])
        },
        MediumCase("listening late, a rival after the beginning", .damaged(after: 4), .missed) {
            ScriptedAir(listensFrom: 106_000, frames: [ScriptedFrame(start: 100), .noise(104, -50)])
        },
        MediumCase("listening late, a rival from before the frame", .missed, .missed) {
            ScriptedAir(listensFrom: 106_000, frames: [.noise(99, -50), ScriptedFrame(start: 100)])
        },
        MediumCase("a greater capture threshold", .missed, .missed, .clean) {
            ScriptedAir(
                propagation: Propagation(shadowing: 0, captureThreshold: 20),
                frames: [.noise(50, -69), ScriptedFrame(start: 100), ScriptedFrame(start: 2_000)]
            )
        },
        MediumCase("a threshold of nothing: as loud is loud enough", .missed, .clean) {
            ScriptedAir(
                propagation: Propagation(shadowing: 0, captureThreshold: 0),
                frames: [.noise(50, -50), ScriptedFrame(start: 100)]
            )
        },
    ]

    static let brokenOffCases = [
        MediumCase("a frame that is broken off is damaged from there on", .damaged(after: 200)) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, brokenOff: 300)])
        },
        MediumCase("broken off with its end it is whole", .clean) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, bytes: 9, brokenOff: 180)])
        },
        MediumCase("a rival that was broken off before drowns no frame", .missed, .clean) {
            ScriptedAir(frames: [.noise(50, -30, brokenOff: 90), ScriptedFrame(start: 100)])
        },
        MediumCase("a rival that is broken off later has done its damage", .damaged(after: 100), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(200, -50, brokenOff: 210)])
        },
        MediumCase("damaged before it was broken off, damage begins with the damage", .damaged(after: 100), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, brokenOff: 300), .noise(200, -50)])
        },
        MediumCase("a frame broken off makes room for the next", .damaged(after: 50), .missed) {
            ScriptedAir(frames: [ScriptedFrame(start: 100, brokenOff: 150), ScriptedFrame(start: 160)])
        },
    ]
}

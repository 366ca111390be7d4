package import BluethroatEvents
public import BluethroatOverflowAnalyser
public import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatVirtualTime

/// What the demonstration shows.
public struct OverflowPlan: Sendable {
    /// Whether screens are lit.
    public enum Screen: String, CaseIterable, Sendable {
        case on
        /// And nothing lights them: the phones lie on their faces.
        case off
        /// Except after notifications.
        case notified
    }

    /// When there are notifications.
    public enum Cycle: String, CaseIterable, Sendable {
        /// Every 60 s.
        case documented = "60"
        /// Every 31 s.
        case quick = "31"
        /// Every 30 s.
        case halfMinute = "30"
        /// Only if nothing was heard.
        case sparing

        var cycle: ScanCycle {
            switch self {
            case .documented: .documented
            case .quick: .quick
            case .halfMinute: .halfMinute
            case .sparing: .sparing
            }
        }
    }

    /// How many phones there are, 1 to 50.
    public var phoneCount = 2
    /// How a payload is put into the overflow area.
    public var mode = OverflowMode.demo
    /// One for each phone; the last one is for the rest. Empty is the usual one.
    public var payloads: [[UInt8]] = []
    /// Whether each phone sends a payload of its own, of which `payloads` then says nothing: in a code word the numbers 1
    /// and one from 1 to 9999 that is drawn, as the app does that came after the demonstration.
    public var drawsPayloads = false
    /// The byte in front of a payload; not 0.
    public var matchingByte = BeaconFrame.usualMatchingByte
    /// Where a payload stands in turns.
    public var positions = BeaconFrame.Positions.halves
    /// Which bits of a bank have to be zero for it to be empty.
    public var extent = BankStatuses.Extent.frame
    /// Where a code word begins.
    public var codeStart = HammingFrame.usualStart
    /// The number of the first phone in a conversation, 0 to 15; the others count on from it.
    public var firstNumber = 0
    /// The version of iOS of the phones.
    public var version = 13
    /// Whether their screens are lit.
    public var screen = Screen.on
    /// When there are notifications.
    public var cycle = Cycle.documented
    /// What another app on the first phone sets.
    public var pollution: [OverflowBit] = []
    /// Whether there is a listener that learns from the air.
    public var analysis: OverflowAnalyser.Settings?

    /// Two phones with the usual payload.
    public init() {}

    /// One line of what it shows.
    public var heading: String {
        "\(phoneCount) phone\(phoneCount == 1 ? "" : "s") with iOS \(version), \(mode.rawValue), screens \(screen.rawValue)"
    }

    /// The code word that stands for a payload; nil where there is none.
    var code: OverflowCode? { mode.code(start: codeStart) }

    /// What a phone sends, in a world with this seed.
    func payload(of number: Int, seed: UInt64) -> [UInt8] {
        if drawsPayloads, code != nil {
            var random = SeededRandom(seed: seed, device: UInt64(number), purpose: "minor")
            let minor = UInt16.random(in: 1...9_999, using: &random)
            return [0, 1, UInt8(minor >> 8), UInt8(minor & 0xFF)]
        }
        let usual = mode == .conversation ? Self.usualMessages[number % 2] : OverflowDemo.usualPayload
        return (payloads.indices.contains(number) ? payloads[number] : payloads.last) ?? usual
    }

    private static let usualMessages = ["Where are you?", "Behind you, by the door."].map { Array($0.utf8) }

    /// The numbers of a phone and of its partner in a conversation: 0 talks to 1, 2 to 3. One that is left over behind the
    /// first phone would like to talk to that, which has a partner already.
    func numbers(of phone: Int) -> (own: UInt8, partner: UInt8) {
        let own = firstNumber + phone, other = own ^ 1
        let isThere = (firstNumber..<firstNumber + phoneCount).contains(other)
        return (UInt8(own), UInt8(isThere || phone == 0 ? other : firstNumber))
    }

    /// The plan, if it can be carried out.
    package func checked() throws(InvalidText) -> Self {
        guard (1...50).contains(phoneCount) else {
            throw InvalidText("--phones \(phoneCount) is not from 1 to 50")
        }
        // The first number by itself comes first: a sum with any number may be none.
        guard (0..<Conversation.phoneCount).contains(firstNumber),
            mode != .conversation || firstNumber + phoneCount <= Conversation.phoneCount
        else {
            throw InvalidText(
                "phones in a conversation have numbers from 0 to 15; give fewer --phones or a lower --number"
            )
        }
        guard (5...99).contains(version) else { throw InvalidText("--ios \(version) is not from 5 to 99") }
        return self
    }

    /// Whether iPhones nearby will ask their people about a watch that is not there.
    public var disturbsWatches: Bool {
        // Only the matching byte is ever there, whatever the payload.
        if let code {
            return code.mask(of: [0, 0, 0, 0], matchingByte: matchingByte)?.contains(.watchSetup) ?? false
        }
        guard mode == .demo else { return false }
        return BeaconFrame([], matchingByte: matchingByte, positions: positions)?.disturbsWatches ?? false
    }

    func settings(named name: String) -> PhoneSettings {
        var settings = PhoneSettings()
        settings.name = name
        settings.systemVersion = version
        return settings
    }
}

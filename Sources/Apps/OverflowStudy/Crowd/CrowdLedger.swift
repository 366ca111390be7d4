import BluethroatOverflowArea
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Writes down who heard whom on the air, and which payloads apps believed. In a conversation the partner is the scanner.
final class CrowdLedger: WorldTap {
    private struct Meeting: Hashable {
        let scanner: UInt32
        let phone: UInt32
    }

    private struct Mistake: Hashable {
        let scanner: UInt32
        let payload: [UInt8]
    }

    // Accesses to what each frame that is received changes are checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private(set) var result: CrowdResult
    private let phones: UInt32
    private let isConversation: Bool
    private let start: Instant
    private let end: Instant
    /// Who has sent a payload of four bytes: each phone has one of its own.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var senders: [UInt32: UInt32] = [:]
    /// Who has sent a message.
    private var talkers: [[UInt8]: UInt32] = [:]
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var heard: [Meeting: Instant] = [:]
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var got: Set<Meeting> = []
    private var mistakes: Set<Mistake> = []

    init(_ settings: CrowdSettings) {
        result = CrowdResult(phones: settings.phones)
        phones = UInt32(settings.phones)
        isConversation = settings.sending == .conversation
        start = .zero + settings.overture
        end = start + settings.length
    }

    /// A payload that no other phone has.
    func drawFrame(of phone: Int, _ random: inout SeededRandom) -> BeaconFrame {
        while true {
            let payload = random.bytes(CrowdSettings.payloadSize)
            let number = Self.number(of: payload)
            guard senders[number] == nil, let frame = BeaconFrame(payload) else { continue }
            senders[number] = UInt32(phone)
            return frame
        }
    }

    /// A message that no other phone has.
    func drawMessage(of phone: Int, _ size: Int, _ random: inout SeededRandom) -> [UInt8] {
        let message = random.bytes(size)
        talkers[message] = UInt32(phone)
        return message
    }

    private func sender(of payload: [UInt8]) -> UInt32? {
        payload.count == CrowdSettings.payloadSize ? senders[Self.number(of: payload)] : talkers[payload]
    }

    private static func number(of payload: [UInt8]) -> UInt32 { payload.reduce(0) { $0 << 8 | UInt32($1) } }

    /// A phone advertises something else.
    func changed() { result.changes += 1 }

    /// An app believes a payload; `scanner` is its device.
    func got(_ payload: [UInt8], scanner: UInt32, at now: Instant) {
        guard let phone = sender(of: payload) else {
            if mistakes.insert(Mistake(scanner: scanner, payload: payload)).inserted { result.mistakes += 1 }
            return
        }
        let meeting = Meeting(scanner: scanner, phone: phone)
        guard got.insert(meeting).inserted else { return }
        if result.phones[Int(phone)].got == nil { result.phones[Int(phone)].got = now - start }
        guard let first = heard[meeting] else { return }
        result.waits.append(now - first)
        // It was counted to the end.
        result.waited -= end - now
    }

    func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID) {
        // Every device of this world has a radio, so both are numbered alike.
        let sender = transmission.radio.rawValue, scanner = device.rawValue
        guard !delivery.isDamaged, sender < phones, isConversation ? scanner == sender ^ 1 : scanner >= phones else {
            return
        }
        let meeting = Meeting(scanner: scanner, phone: sender)
        guard heard[meeting] == nil else { return }
        heard[meeting] = delivery.reception.end
        result.meetings += 1
        result.waited += end - delivery.reception.end
        if result.phones[Int(sender)].heard == nil { result.phones[Int(sender)].heard = delivery.reception.end - start }
    }
}

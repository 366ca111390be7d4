import Foundation

/// What a line of a desk's log says.
struct AuditEntry: Codable, Equatable {
    /// Counted from 1.
    var number = 0
    /// In UTC, as the desk's machine had it: `2026-11-23T12:00:00Z`.
    var time: String
    var event: String
    var user: String?
    var reason: String?
    var seconds: Int?
    /// How many events before this one were not noted.
    var omitted: Int?

    init(_ event: String, date: Date) {
        self.event = event
        time = date.formatted(.iso8601)
    }

    /// Nil for what is not noted: digits on the monitor, and whether the radio is on.
    init?(_ event: DeskEvent, date: Date) {
        self.init(event.word, date: date)
        switch event {
        case .advertising, .codeShown, .codeHidden: return nil
        case .codeRejected, .intrusion: break
        case .loggedIn(let user), .rejected(let user), .locked(let user), .unlocked(let user): self.user = user
        case .unavailable(let why): reason = why
        case .loggedOut(let user, let end): (self.user, reason) = (user, end.word)
        case .refused(let refusal): reason = refusal.word
        case .closed(let seconds): self.seconds = seconds
        case .closedFor(let user, let seconds): (self.user, self.seconds) = (user, seconds)
        }
    }

    /// Whether phones can make it happen often, without a password.
    var isCheap: Bool {
        [
            "refused", "user-closed", "unavailable", "intrusion", "code-rejected", "closed", "locked", "unlocked",
        ].contains(event)
    }

    /// Whether it is noted where there is room for little more: who was logged in, and since when the desk runs.
    var isVital: Bool { ["started", "logged-in", "logged-out"].contains(event) }

    /// JSON on one line. What would move a terminal's cursor, or turn the direction of writing, is escaped.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = ""
        for scalar in String(decoding: try! encoder.encode(self), as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

import BluethroatByteCoding
public import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatOverflowArea
public import BluethroatVirtualTime
public import Foundation

/// What happens in the demonstration.
public enum OverflowEvent: LiveSessionEvent {
    /// What an app on a phone does.
    public enum Event: Sendable {
        /// What the app says.
        case log(String)
        /// A payload of another phone, by the identifier that the app's system gives it, if there is one.
        case read([UInt8], peer: UUID?)
    }

    case happened(Event, phone: String, at: Instant)
    /// What an analyser writes, in the form that was asked for.
    case analysis(String)

    public var line: String? {
        switch self {
        case .happened(.log(let text), let phone, let now): "\(Self.seconds(now))  \(phone): \(text)"
        // The app has said it.
        case .happened(.read, _, _): nil
        case .analysis(let line): line
        }
    }

    /// `12.345`
    private static func seconds(_ now: Instant) -> String {
        let milliseconds = now.nanoseconds / 1_000_000
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    public var json: JSONLine? {
        switch self {
        case .happened(let event, let phone, let now):
            var line: JSONLine
            switch event {
            case .log(let text):
                line = JSONLine(event: "log", time: now)
                line.add("phone", phone)
                line.add("message", text)
            case .read(let payload, let peer):
                line = JSONLine(event: "read", time: now)
                line.add("phone", phone)
                line.add("payload", payload.hex)
                if let peer { line.add("peer", peer.uuidString) }
            }
            return line
        case .analysis: return nil
        }
    }

    /// What is to be written.
    public func text(json isJSON: Bool) -> String? {
        if case .analysis(let line) = self { return line }
        return isJSON ? json?.text : line
    }
}

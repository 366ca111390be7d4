#if canImport(Phones)
    import ByteCoding
    import Foundation
    import KeyFobConsole
    import OverflowArea
    import VirtualTime

    /// What happens in the demonstration.
    enum OverflowNews: SceneNews {
        enum Event: Sendable {
            /// What the app says.
            case log(String)
            /// A payload of another phone, by what the app's system calls that one, if that is told.
            case read([UInt8], peer: UUID?)
        }

        case happened(Event, phone: String, at: Instant)
        /// What an analyser writes, in the form that was asked for.
        case analysis(String)

        var line: String? {
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

        var json: JSONLine? {
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
        func text(json isJSON: Bool) -> String? {
            if case .analysis(let line) = self { return line }
            return isJSON ? json?.text : line
        }
    }

    /// Writes one line after the other, those of an analyser as they are.
    struct OverflowTeller: SceneTeller {
        private var lines: SceneLines<OverflowNews>

        init(json: Bool, heading: String) { lines = SceneLines(isJSON: json, heading: heading) }

        mutating func begin(_ radio: KeyFobOutput.Radio, _ voice: SceneVoice<OverflowNews>) {
            lines.begin(radio, voice)
        }

        mutating func tell(_ news: OverflowNews) throws(CommandFailure) {
            if let text = news.text(json: lines.isJSON) { StandardOutput.write(text) }
        }

        mutating func fail(_ message: String, at now: Instant) { lines.fail(message, at: now) }

        mutating func warn(_ message: String) { lines.warn(message) }

        mutating func panel(_ url: String, token: String) { lines.panel(url, token: token) }

        mutating func misbehaved(_ message: String) { lines.misbehaved(message) }

        mutating func end() { lines.end() }
    }
#endif

public import BluethroatVirtualTime

/// Why a world stopped: something happened again and again at one instant, so that no time passed.
///
/// It prints as one line that names the devices, and says what each of them did.
public struct StallReport: Error, Hashable, Sendable, CustomStringConvertible {
    /// A device that kept the world busy, and how often it did what.
    public struct Participant: Hashable, Sendable, CustomStringConvertible {
        public let device: DeviceID
        public let name: String
        /// How often a timer of its controller ran out, and the same for its host and its application.
        public internal(set) var controllerTimers = 0
        public internal(set) var hostTimers = 0
        public internal(set) var applicationTimers = 0
        /// For when the last of these timers was armed, on the world's clock.
        public internal(set) var lastDeadline: Instant?
        /// HCI packets for its controller, and for its host.
        public internal(set) var packetsToController = 0
        public internal(set) var packetsToHost = 0
        /// The last of these packets, H4 indicator first.
        public internal(set) var lastPacket: [UInt8] = []

        init(_ device: DeviceID, _ name: String) {
            self.device = device
            self.name = name
        }

        var total: Int {
            controllerTimers + hostTimers + applicationTimers + packetsToController + packetsToHost
        }

        /// `looper (device 3): timer of the application 900 times, armed for @0.5 s`
        public var description: String {
            var parts: [String] = []
            for (owner, count) in [
                ("controller", controllerTimers), ("host", hostTimers), ("application", applicationTimers),
            ] where count > 0 {
                let deadline = lastDeadline.map { ", armed for \($0)" } ?? ""
                parts.append("timer of the \(owner) \(count) times\(deadline)")
            }
            if packetsToController > 0 { parts.append("\(packetsToController) HCI packets to the controller") }
            if packetsToHost > 0 { parts.append("\(packetsToHost) HCI packets to the host") }
            if !lastPacket.isEmpty {
                let bytes = lastPacket.prefix(8).map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                parts.append("the last packet \(bytes.joined(separator: " "))" + (lastPacket.count > 8 ? " ..." : ""))
            }
            return "\(name) (\(device)): \(parts.joined(separator: ", "))"
        }
    }

    /// An action that was scheduled again and again for the present instant.
    public struct Action: Hashable, Sendable, CustomStringConvertible {
        /// Where the last one was scheduled: the file and the line.
        public let fileID: String
        public let line: UInt

        public var description: String { "an action scheduled for the present instant in \(fileID):\(line)" }
    }

    /// When time stopped.
    public let instant: Instant
    /// How many steps of one device, or how many actions, there were at that instant.
    public let steps: Int
    /// The devices that were busy during the last of these steps, the busiest first.
    public let participants: [Participant]
    /// Nil where devices kept the world busy by themselves.
    public let action: Action?

    public var description: String {
        let causes = participants.map(\.description) + (action.map { [$0.description] } ?? [])
        return "the world stands still at \(instant): \(steps) steps and no time has passed; "
            + causes.joined(separator: "; ")
    }
}

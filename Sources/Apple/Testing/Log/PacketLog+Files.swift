import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation

extension PacketLog {
    /// The log as a capture for Wireshark and tshark: the air, the HCI of each device, and the calls and callbacks of apps
    /// with what else happened, as messages of syslog (the filter `syslog`).
    public var pcapng: [UInt8] {
        var recorder = CaptureRecorder(epoch: .unix, application: "Bluethroat")
        var interfaces: [(device: DeviceID, interface: PCAPNGWriter.Interface)] = []
        for device in world.deviceIDs {
            let description = "HCI of \(name(of: device))"
            interfaces.append((device, recorder.addHCI(name: "hci\(device.rawValue)", description: description)))
        }
        let messages = recorder.addMessages(name: "apps", description: "What apps call and are told, and what happened")
        func record(_ lines: [String], isWarning: Bool = false, at time: Instant) {
            for line in lines { recorder.record(message: line, isWarning: isWarning, on: messages, at: time) }
        }
        for entry in entries {
            switch entry.item {
            case .frame(let transmission, let device, let strength, _):
                recorder.record(
                    frame: transmission.frame,
                    channel: transmission.channel,
                    phy: transmission.phy,
                    signal: strength,
                    from: device.rawValue,
                    at: transmission.start,
                    comment: name(of: device)
                )
            case .hci(let packet, let fromHost, let device):
                guard let place = interfaces.first(where: { $0.device == device }) else { continue }
                recorder.record(
                    hci: packet,
                    direction: fromHost ? .hostToController : .controllerToHost,
                    on: place.interface,
                    at: entry.time
                )
            case .app(let happening, let phone):
                let isMisuse = if case .misused = happening { true } else { false }
                let lines = Self.texts(of: happening).map { "\(name(of: phone)): \($0)" }
                record(lines, isWarning: isMisuse, at: entry.time)
            case .note(let text): record([text], at: entry.time)
            }
        }
        return recorder.takeBytes()
    }

    /// The log for people: a line a packet, without the empty ones of connections and without HCI.
    public var text: String {
        var lines: [String] = []
        if droppedCount > 0 { lines.append("(\(droppedCount) earlier entries were dropped)") }
        for entry in entries {
            switch entry.item {
            case .frame(let transmission, let device, _, let isEncrypted):
                let packet = LoggedPacket(transmission, from: name(of: device), isEncrypted: isEncrypted)
                let summary = packet.summary
                guard !summary.hasSuffix(" empty") else { continue }
                lines.append(Self.line(entry.time, packet.sender, "ch \(packet.channel) \(summary)"))
            case .app(let happening, let phone):
                lines += Self.texts(of: happening).map { Self.line(entry.time, name(of: phone), $0) }
            case .note(let text): lines.append(Self.line(entry.time, "---", text))
            case .hci: continue
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A summary lists so many of the last events and commands of apps.
    private static let summaryLength = 12

    /// What there was since a moment, in a few lines.
    func summary(since start: Duration) -> String {
        var told: [String] = []
        var sent: [(device: DeviceID, count: Int, last: LoggedPacket)] = []
        for entry in entries.reversed() {
            guard entry.time.duration >= start else { break }
            switch entry.item {
            case .app(let happening, let phone) where told.count < Self.summaryLength:
                let texts = Self.texts(of: happening).reversed()
                told += texts.map { "  \(entry.time.duration.text) \(name(of: phone)): \($0)" }
            case .frame(let transmission, let device, _, let isEncrypted):
                if let index = sent.firstIndex(where: { $0.device == device }) {
                    sent[index].count += 1
                } else {
                    let packet = LoggedPacket(transmission, from: name(of: device), isEncrypted: isEncrypted)
                    sent.append((device, 1, packet))
                }
            default: break
            }
        }
        var lines = told.isEmpty ? ["apps neither ordered nor were told anything meanwhile"] : told.reversed()
        if told.count >= Self.summaryLength { lines.insert("  …", at: 0) }
        for item in sent.sorted(by: { $0.device < $1.device }) {
            lines.append(
                "\(item.last.sender) sent \(item.count) packets, the last at \(item.last.time.text): \(item.last.summary)"
            )
        }
        if sent.isEmpty { lines.append("nothing was on the air") }
        return lines.joined(separator: "\n")
    }

    private static func line(_ time: Instant, _ who: String, _ what: String) -> String {
        let seconds = String(format: "%14.6f", Double(time.nanoseconds) / 1e9)
        return "\(seconds)  \(who.padding(toLength: max(12, who.count), withPad: " ", startingAt: 0))  \(what)"
    }
}

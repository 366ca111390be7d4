import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding
public import BluethroatHost
import BluethroatKeyFobConsole

extension CentralEvent {
    /// What people read on standard output; nil for what is only a step on the way.
    public var text: String? {
        switch self {
        case .report, .connected, .disconnected, .subscribed, .failed, .encrypted, .phys, .securityWanted,
            .passkeyWanted, .comparison, .warning, .listening, .channelOpened, .channelClosed:
            nil
        case .passkey(let passkey): "type \(passkey) into the other device"
        case .outOfBand(let data, let path): path == "-" ? data.text : nil
        case .paired(let peer, let name, let pairing):
            "paired with \(name.map { "\(Self.harmless($0)) (\(peer))" } ?? "\(peer)"): \(pairing.sentence)"
        case .service(let service): Self.heading(service)
        case .include(let include):
            Self.row("\(include.handle)", "  includes " + include.uuid.label, "", Self.range(include.service))
        case .characteristic(let characteristic, let outcome):
            Self.row(
                "\(characteristic.handle) \(characteristic.valueHandle)",
                "  " + characteristic.uuid.label,
                characteristic.properties.names.joined(separator: " "),
                outcome.map { Self.text($0, characteristic.uuid) } ?? ""
            )
        case .descriptor(let descriptor, let outcome):
            Self.row(
                "       \(descriptor.handle)",
                "    " + descriptor.uuid.label,
                "",
                Self.text(outcome, descriptor.uuid)
            )
        case .value(let attribute, let bytes): Self.text(bytes, attribute.uuid)
        case .written(let attribute, let bytes, let response):
            (response ? "wrote " : "sent ") + Self.text(bytes, attribute.uuid) + " to " + attribute.label
        case .notified(let attribute, let bytes, _): "\(attribute.label)  \(Self.text(bytes, attribute.uuid))"
        }
    }

    /// What is for people at a terminal, on standard error.
    public var hint: String? {
        switch self {
        case .connected(let connection): "connected with \(connection.peer)"
        case .encrypted(let security):
            security.isEncrypted
                ? "the link is encrypted" + (security.isAuthenticated ? ", authenticated" : ", not authenticated")
                : "the link is not encrypted any more"
        case .phys(let phys):
            phys.sending == phys.receiving
                ? "the link is on \(phys.sending.name)"
                : "the link is on \(phys.sending.name) to the peer, and on \(phys.receiving.name) from it"
        case .securityWanted(let peer, let pairing): "\(peer) asks to be paired with: `\(pairing)`"
        case .outOfBand(_, let path): path == "-" ? nil : "wrote out-of-band data to \(path)"
        case .subscribed(let attribute, _): "waiting for values of \(attribute.label); Control-C ends"
        case .listening(let spsm, let name): "listening on PSM \(spsm) as \(name)"
        case .channelOpened(let channel):
            "a channel to PSM \(channel.spsm) is open; the peer takes \(channel.peerMTU) bytes at a time"
        default: nil
        }
    }

    /// A device in a list: address, strength, name, services.
    public static func line(_ device: DiscoveryCache.Entry) -> String {
        let strength = device.signalStrength.map(\.description) ?? ""
        var facts: [String] = []
        if let name = device.localName { facts.append(harmless(name)) }
        if let identity = device.identity {
            facts.append(identity == device.address ? "(bonded)" : "(bonded, as \(identity))")
        }
        if !device.isConnectable { facts.append("(takes no connections)") }
        let services = device.services.map(\.label).joined(separator: ", ")
        if !services.isEmpty { facts.append("[\(services)]") }
        facts += BroadcastMessage.all(in: device.advertisingData).map { "{\($0.text)}" }
        return line("\(device.address) \(device.address.kindName)", padded(strength, 8), facts.joined(separator: "  "))
    }

    private static func heading(_ service: RemoteService) -> String {
        padded(range(service.handles), 15) + service.uuid.label + (service.isPrimary ? "" : "  (secondary)")
    }

    private static func range(_ handles: ClosedRange<AttributeHandle>) -> String {
        "\(handles.lowerBound)-\(handles.upperBound)"
    }

    private static func row(_ handles: String, _ label: String, _ properties: String, _ value: String) -> String {
        line(padded(handles, 14), padded(label, 44), padded(properties, 20), value)
    }

    /// Cells side by side, without blanks at the end.
    private static func line(_ cells: String...) -> String {
        let line = cells.joined(separator: " ")
        return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    }

    private static func text(_ outcome: ReadOutcome, _ uuid: BluetoothUUID) -> String {
        switch outcome {
        case .value(let bytes): text(bytes, uuid)
        case .refused(let error): "(\(error.sentence))"
        }
    }

    private static func text(_ bytes: [UInt8], _ uuid: BluetoothUUID?) -> String {
        DecodedValue.text(of: bytes, uuid: uuid) ?? (bytes.isEmpty ? "(empty)" : bytes.hex(separator: " "))
    }

    private static func harmless(_ name: String) -> String { DecodedValue.harmless(name) }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension BluetoothUUID {
    /// `2A00 Device Name`, or the UUID alone.
    var label: String { assignedName.map { "\(text) \($0)" } ?? text }
}

extension ResolvedAttribute {
    /// What people call it: by its type if that is known, else by its handle.
    fileprivate var label: String { uuid.map(\.label) ?? "\(handle)" }
}

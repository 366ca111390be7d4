import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatEvents
import BluethroatHost
import BluethroatKeyFobConsole
public import BluethroatVirtualTime

extension CentralEvent {
    /// The object of `--json`; `docs/cli-json.md` is its page.
    public func json(at time: Instant) -> String {
        var line = JSONLine(event: event, time: time)
        switch self {
        case .report(let device): line.add(device)
        case .connected(let connection):
            line.add(peer: connection.peer)
            line.add("interval", connection.parameters.interval.span)
            line.add("latency", Int(connection.parameters.latency.events))
            line.add("supervisionTimeout", connection.parameters.supervisionTimeout.span)
        case .disconnected(let peer, let reason):
            line.add(peer: peer)
            line.add("reason", reason.name)
            line.add("code", Int(reason.rawValue))
        case .service(let service):
            line.add("handle", service.handles.lowerBound)
            line.add("end", service.handles.upperBound)
            line.add(service.uuid)
            line.add("primary", service.isPrimary)
        case .include(let include):
            line.add("handle", include.handle)
            line.add("serviceHandle", include.service.lowerBound)
            line.add("serviceEnd", include.service.upperBound)
            line.add(include.uuid)
        case .characteristic(let characteristic, let outcome):
            line.add("handle", characteristic.handle)
            line.add("valueHandle", characteristic.valueHandle)
            line.add(characteristic.uuid)
            line.add("properties", characteristic.properties.names)
            if let outcome { line.add(outcome, of: characteristic.uuid) }
        case .descriptor(let descriptor, let outcome):
            line.add("handle", descriptor.handle)
            line.add(descriptor.uuid)
            line.add(outcome, of: descriptor.uuid)
        case .value(let attribute, let bytes), .notified(let attribute, let bytes, _):
            line.add(attribute)
            line.add(bytes, of: attribute.uuid)
        case .written(let attribute, let bytes, let response):
            line.add(attribute)
            line.add("value", bytes.hex)
            line.add("response", response)
        case .subscribed(let attribute, let isIndication):
            line.add(attribute)
            line.add("kind", isIndication ? "indication" : "notification")
        case .encrypted(let security): line.add(security)
        case .phys(let phys):
            line.add("sending", phys.sending.name)
            line.add("receiving", phys.receiving.name)
        case .passkey(let passkey): line.add("passkey", passkey.description)
        case .passkeyWanted(let peer), .securityWanted(let peer, _): line.add(peer: peer)
        case .comparison(let peer, let digits):
            line.add(peer: peer)
            line.add("digits", digits.description)
        case .outOfBand(let data, let path):
            line.add("file", path)
            line.add("data", data.advertisingData.hex)
        case .paired(let peer, let name, let pairing):
            line.add(peer: peer)
            if let name { line.add("name", name) }
            line.add(pairing)
        case .listening(let spsm, let name):
            line.add("psm", Int(spsm.rawValue))
            line.add("name", name)
        case .channelOpened(let channel):
            line.add("psm", Int(channel.spsm.rawValue))
            line.add("mtu", channel.mtu)
            line.add("mps", channel.mps)
            line.add("peerMTU", channel.peerMTU)
            line.add("peerMPS", channel.peerMPS)
        case .channelClosed(let reason, let sent, let received, let span):
            line.add("reason", reason.sentence)
            line.add("sent", sent)
            line.add("received", received)
            line.add("duration", span)
        case .warning(let message): line.add("message", message)
        case .failed(let failure):
            line.add("message", failure.message)
            if let error = failure.attError { line.add("attError", Int(error)) }
            if let error = failure.hciError { line.add("hciError", Int(error)) }
            if let reason = failure.smpReason { line.add("smpReason", Int(reason)) }
        }
        return line.text
    }

    private var event: String {
        switch self {
        case .report: "report"
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .service: "service"
        case .include: "include"
        case .characteristic: "characteristic"
        case .descriptor: "descriptor"
        case .value: "value"
        case .written: "written"
        case .subscribed: "subscribed"
        case .notified(_, _, let isIndication): isIndication ? "indication" : "notification"
        case .encrypted: "encrypted"
        case .phys: "phy"
        case .securityWanted: "securityRequested"
        case .passkey: "passkey"
        case .passkeyWanted: "passkeyWanted"
        case .comparison: "comparison"
        case .outOfBand: "outOfBand"
        case .paired: "paired"
        case .listening: "listening"
        case .channelOpened: "channelOpened"
        case .channelClosed: "channelClosed"
        case .warning: "warning"
        case .failed: "error"
        }
    }
}

extension JSONLine {
    fileprivate mutating func add(_ key: String, _ handle: AttributeHandle) { add(key, Int(handle.rawValue)) }

    fileprivate mutating func add(_ uuid: BluetoothUUID) {
        add("uuid", uuid.text)
        if let name = uuid.assignedName { add("name", name) }
    }

    fileprivate mutating func add(_ attribute: ResolvedAttribute) {
        add("handle", attribute.handle)
        if let uuid = attribute.uuid { add(uuid) }
    }

    fileprivate mutating func add(_ bytes: [UInt8], of uuid: BluetoothUUID?) {
        add("value", bytes.hex)
        if let text = DecodedValue.text(of: bytes, uuid: uuid) { add("decoded", text) }
    }

    fileprivate mutating func add(_ outcome: ReadOutcome, of uuid: BluetoothUUID) {
        switch outcome {
        case .value(let bytes): add(bytes, of: uuid)
        case .refused(let error):
            add("attError", Int(error.rawValue))
            add("message", error.sentence)
        }
    }

    fileprivate mutating func add(peer: DeviceAddress) {
        add("peer", peer.description)
        add("addressType", peer.kindName)
    }

    fileprivate mutating func add(_ device: DiscoveryCache.Entry) {
        add("address", device.address.description)
        add("addressType", device.address.kindName)
        if let identity = device.identity {
            add("identity", identity.description)
            add("identityType", identity.kindName)
        }
        add("connectable", device.isConnectable)
        add("scannable", device.isScannable)
        if let strength = device.signalStrength { add("rssi", Int(strength.dBm)) }
        if let data = device.data { add("data", data.hex) }
        if let response = device.scanResponse { add("scanResponse", response.hex) }
        let all = device.advertisingData
        if let name = all.localName { add("name", name) }
        if let flags = all.flags { add("flags", Int(flags.rawValue)) }
        if !device.services.isEmpty { add("services", device.services.map(\.text)) }
        if let power = all.txPower { add("txPower", Int(power.dBm)) }
        if let maker = all.first(.manufacturerSpecific), maker.count >= 2 {
            add("manufacturer", Int(maker[0]) | Int(maker[1]) << 8)
            add("manufacturerData", Array(maker.dropFirst(2)).hex)
        }
        let messages = BroadcastMessage.all(in: all)
        if !messages.isEmpty { add("messages", messages.map(\.json)) }
    }
}

extension BroadcastMessage {
    /// What it is, what it says, and all of its bytes.
    fileprivate var json: JSONLine {
        var object = JSONLine()
        object.add("kind", name)
        if isMalformed { object.add("malformed", true) }
        for field in fields {
            switch field.value {
            case .text(let text): object.add(field.name, text)
            case .number(let number): object.add(field.name, number)
            case .decimal: object.add(field.name, decimal: field.valueText)
            }
        }
        object.add("data", bytes.hex)
        return object
    }
}

extension DiscoveryCache.Entry {
    /// The advertised services, each once.
    var services: [BluetoothUUID] {
        advertisingData.serviceUUIDs.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension BluetoothUUID {
    /// Four digits where there is a 16-bit form, whatever form it came in; else 36 characters.
    var text: String { short.map { "\(BluetoothUUID($0))" } ?? longDescription }
}

extension DeviceAddress {
    /// `public` or `random`
    package var kindName: String { kind == .public ? "public" : "random" }
}

import BluethroatBluetoothValues
import BluethroatByteCoding

/// The requests and commands that write one value at once.
extension GATTServer {
    /// The attribute that a client asks to write at once, if it may. `value` becomes what the whole value will be.
    func writeTarget(
        _ handle: UInt16,
        _ value: inout [UInt8],
        on link: borrowing HostLink,
        as security: LinkSecurity
    ) throws(Refusal) -> Attribute {
        guard let index = database.index(ofRaw: handle) else { throw Refusal(.invalidHandle, handle) }
        let attribute = database.attributes[index]
        if let error = attribute.permissions.write.error(on: security, refusal: .writeNotPermitted) {
            throw Refusal(error, handle)
        }
        if attribute.isFixedLength, attribute.writes == .stored {
            // The octets behind a shorter write stay as they are. Core 6.0, Vol 3, Part F, 3.4.5.1.
            value.append(contentsOf: storedValue(attribute, link.att.server).dropFirst(value.count))
        }
        try checkValue(value, of: attribute, on: link)
        return attribute
    }

    /// Core 6.0, Vol 3, Part F, 3.4.5.1.
    mutating func write(
        _ request: WriteRequest,
        on link: inout HostLink,
        into actions: inout ATTActions
    ) throws(Refusal) -> Reply {
        var value = request.value
        let attribute = try writeTarget(request.handle, &value, on: link, as: link.security.level)
        if attribute.writes == .application {
            return .write([AttributeWrite(handle: attribute.handle, value: value)], .request, kept: [])
        }
        keep(ServerSession.KeptWrite(handle: attribute.handle, value: value), on: &link, into: &actions)
        return .response(Self.packet(.writeResponse))
    }

    /// A command is carried out or dropped, and never answered. Core 6.0, Vol 3, Part F, 3.4.5.3.
    mutating func receiveCommand(_ pdu: RawSpan, on link: inout HostLink, into actions: inout ATTActions) {
        guard pdu.byteCount <= link.att.mtu, let command = try? ATTPDU(parsing: pdu) else { return }
        switch command {
        case .writeCommand(let command):
            guard link.att.server.takesValues else { return }
            var value = command.value
            guard let attribute = try? writeTarget(command.handle, &value, on: link, as: link.security.level) else {
                return
            }
            carryOut(value, attribute, on: &link, into: &actions)
        case .signedWriteCommand:
            // The signature is verified first, where the bond is known.
            var bytes = pdu
            actions.signedWrites.append(bytes.takeRest())
        default: return
        }
    }

    /// A signed write without its signature, which was good: what it may write is what a link could that is secured
    /// like the bond. Core 6.0, Vol 3, Part F, 3.4.5.4.
    mutating func receiveSigned(
        _ message: [UInt8],
        as security: LinkSecurity,
        on link: inout HostLink,
        into actions: inout ATTActions
    ) {
        var bytes = message.span.bytes.extracting(droppingFirst: 1)
        guard let handle = try? bytes.takeUInt16(), link.att.server.takesValues,
            let index = database.index(ofRaw: handle), database.attributes[index].acceptsSignedWrites
        else { return }
        var value = bytes.takeRest()
        var signer = security
        signer.isAuthorized = link.security.level.isAuthorized
        guard let attribute = try? writeTarget(handle, &value, on: link, as: signer) else { return }
        carryOut(value, attribute, on: &link, into: &actions)
    }

    /// Writes what a command brings and may be written.
    private mutating func carryOut(
        _ value: [UInt8],
        _ attribute: Attribute,
        on link: inout HostLink,
        into actions: inout ATTActions
    ) {
        if attribute.writes == .application {
            let write = AttributeWrite(handle: attribute.handle, value: value)
            let id = nextRequest(of: link.id)
            actions.events.append(.server(.writeRequested(id, link.id, [write], .command)))
        } else {
            keep(ServerSession.KeptWrite(handle: attribute.handle, value: value), on: &link, into: &actions)
        }
    }

    /// Whether an attribute could hold this value.
    func checkValue(_ value: [UInt8], of attribute: Attribute, on link: borrowing HostLink) throws(Refusal) {
        guard attribute.allows(length: value.count) else {
            throw Refusal(.invalidAttributeValueLength, attribute.handle.rawValue)
        }
        switch attribute.role {
        case .clientConfiguration, .serverConfiguration:
            // Undefined bits are ignored unless the definition says otherwise.
            let known: UInt8 = attribute.role == .clientConfiguration ? 0x03 : 0x01
            let unsupported = value[0] & known & ~attribute.configurationBits != 0
            let undefined = value[0] & ~known != 0 || value[1] != 0
            if let refusal = attribute.refusal {
                if unsupported || undefined { throw Refusal(refusal, attribute.handle.rawValue) }
            } else if unsupported {
                throw Refusal(.valueNotAllowed, attribute.handle.rawValue)
            }
        case .clientFeatures:
            // A client may set bits and may not clear them. Core 6.0, Vol 3, Part G, 7.2.
            guard let flags = value.first else {
                throw Refusal(.invalidAttributeValueLength, attribute.handle.rawValue)
            }
            if link.att.server.clientFeatures & ~flags != 0 {
                throw Refusal(.valueNotAllowed, attribute.handle.rawValue)
            }
        case .plain, .service, .databaseHash, .serviceChanged: break
        }
    }

    /// Puts a value that has been checked where it belongs, and reports it.
    mutating func keep(
        _ write: ServerSession.KeptWrite,
        on link: inout HostLink,
        into actions: inout ATTActions
    ) {
        // The application may have removed the attribute while it was thinking about others.
        guard let index = database.index(of: write.handle) else { return }
        let attribute = database.attributes[index]
        switch attribute.role {
        case .clientConfiguration:
            let wanted = Subscription(rawValue: write.value[0] & attribute.configurationBits)
            let old = link.att.server.subscription(slot: attribute.configurationSlot)
            link.att.server.noteConfigured(slot: attribute.configurationSlot)
            guard wanted != old, let value = attribute.configured else { return }
            link.att.server.subscribe(slot: attribute.configurationSlot, to: wanted)
            actions.isClientChanged = true
            actions.events.append(.server(.subscriptionChanged(link.id, value, wanted)))
        case .serverConfiguration:
            database.attributes[index].value = [write.value[0] & attribute.configurationBits, 0]
            let written = database.attributes[index].value
            actions.events.append(.server(.valueWritten(link.id, write.handle, written)))
        case .clientFeatures:
            link.att.server.clientFeatures |= write.value[0] & 0x07
            actions.isClientChanged = true
        case .plain, .service, .databaseHash, .serviceChanged:
            database.attributes[index].value = write.value
            actions.events.append(.server(.valueWritten(link.id, write.handle, write.value)))
        }
    }
}

import BluethroatBluetoothValues
import BluethroatByteCoding

/// Writes that are collected first and then carried out all together. Core 6.0, Vol 3, Part F, 3.4.6.
extension GATTServer {
    /// Takes a part of a value into the queue. Whether offset and length fit is only asked when it is executed.
    func prepareWrite(_ request: PreparedWrite, on link: inout HostLink) throws(Refusal) -> Reply {
        guard let index = database.index(ofRaw: request.handle) else {
            throw Refusal(.invalidHandle, request.handle)
        }
        let access = database.attributes[index].permissions.write
        if let error = access.error(on: link.security.level, refusal: .writeNotPermitted) {
            throw Refusal(error, request.handle)
        }
        guard link.att.server.prepared.count < Self.preparedLimit,
            link.att.server.preparedBytes + request.part.count <= Self.preparedBytesLimit
        else { throw Refusal(.prepareQueueFull, request.handle) }
        link.att.server.preparedBytes += request.part.count
        link.att.server.prepared.append(request)

        var packet = Self.packet(.prepareWriteResponse, capacity: 4 + request.part.count)
        request.write(to: &packet)
        return .response(packet)
    }

    /// Carries out the queue or forgets it; either way it is empty afterwards.
    mutating func executeWrite(
        _ request: ExecuteWriteRequest,
        on link: inout HostLink,
        into actions: inout ATTActions
    ) throws(Refusal) -> Reply {
        let prepared = link.att.server.prepared
        let staleHandle = link.att.server.staleHandle
        link.att.server.forgetPrepared()
        guard request.choice == .write else { return .response(Self.packet(.executeWriteResponse)) }
        if let staleHandle { throw Refusal(.databaseOutOfSync, staleHandle) }

        var composed: [ComposedValue] = []
        var asked: [AttributeWrite] = []
        for write in prepared {
            guard let index = database.index(ofRaw: write.handle) else {
                throw Refusal(.databaseOutOfSync, write.handle)
            }
            let attribute = database.attributes[index]
            // The link may have become worse since the part was prepared.
            if let error = attribute.permissions.write.error(on: link.security.level, refusal: .writeNotPermitted) {
                throw Refusal(error, write.handle)
            }
            let offset = Int(write.offset)
            if offset > 0, !attribute.isLong { throw Refusal(.attributeNotLong, write.handle) }
            if attribute.writes == .application {
                try Self.checkEnd(offset + write.part.count, of: attribute)
                asked.append(AttributeWrite(handle: attribute.handle, offset: offset, value: write.part))
                continue
            }
            let place: Int
            if let known = composed.firstIndex(where: { $0.attribute.handle == attribute.handle }) {
                place = known
            } else {
                place = composed.count
                composed.append(ComposedValue(attribute, old: storedValue(attribute, link.att.server)))
            }
            guard composed[place].lay(write.part, at: offset) else { throw Refusal(.invalidOffset, write.handle) }
            try Self.checkEnd(offset + write.part.count, of: attribute)
        }

        var kept: [ServerSession.KeptWrite] = []
        for value in composed {
            let bytes = value.result
            try checkValue(bytes, of: value.attribute, on: link)
            kept.append(ServerSession.KeptWrite(handle: value.attribute.handle, value: bytes))
        }
        if !asked.isEmpty { return .write(asked, .prepared, kept: kept) }
        for write in kept { keep(write, on: &link, into: &actions) }
        return .response(Self.packet(.executeWriteResponse))
    }

    private static func checkEnd(_ end: Int, of attribute: Attribute) throws(Refusal) {
        guard end <= Int(attribute.maximumLength) else {
            throw Refusal(.invalidAttributeValueLength, attribute.handle.rawValue)
        }
    }
}

/// A value being put together from its parts.
private struct ComposedValue {
    let attribute: Attribute
    private var bytes: [UInt8]
    /// The first part began at the beginning.
    private var isWhole: Bool?
    private var end = 0

    init(_ attribute: Attribute, old: [UInt8]) {
        self.attribute = attribute
        bytes = old
    }

    /// Lays a part over the value; false if it would leave a gap.
    mutating func lay(_ part: [UInt8], at offset: Int) -> Bool {
        if isWhole == nil { isWhole = offset == 0 }
        guard offset <= bytes.count else { return false }
        bytes.replaceSubrange(offset..<min(bytes.count, offset + part.count), with: part)
        end = max(end, offset + part.count)
        return true
    }

    /// Like a Write Request, parts from the beginning on make up a whole new value, unless its length is fixed; parts
    /// from elsewhere on change a piece of the old one.
    var result: [UInt8] { isWhole == true && !attribute.isFixedLength ? Array(bytes[..<end]) : bytes }
}

public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE PHY Update Complete: a connection has changed its PHYs, or could not. Core 6.0, Vol 4, Part E, 7.7.65.12.
public struct LEPHYUpdateComplete: HCIEvent {
    public static var identifier: EventIdentifier { .lePHYUpdateComplete }
    public static var name: String { "LE PHY Update Complete" }
    public var event: Event { .lePHYUpdateComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// From here to the peer.
    public var transmit: PHY
    /// From the peer to here.
    public var receive: PHY

    public init(status: ControllerError = .success, connection: ConnectionHandle, transmit: PHY, receive: PHY) {
        self.status = status
        self.connection = connection
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        transmit = try bytes.takePHY("transmit", status: status)
        receive = try bytes.takePHY("receive", status: status)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.append(transmit.rawValue)
        out.append(receive.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("TX_PHY", \.transmit),
            Field("RX_PHY", \.receive),
        ]
    }
}

extension EventIdentifier {
    /// LE PHY Update Complete.
    public static let lePHYUpdateComplete = Self(le: .phyUpdateComplete)
}

extension LESubeventCode {
    public static let phyUpdateComplete = Self(rawValue: 0x0C)
}

extension LEEventMask {
    public static let phyUpdateComplete = Self(.phyUpdateComplete)
}

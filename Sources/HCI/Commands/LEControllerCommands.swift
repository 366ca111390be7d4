public import BluetoothValues
public import ByteCoding

/// LE Set Event Mask: which LE Meta events the controller may send, given that the LE Meta event is unmasked. Core 6.0, Vol 4, Part E, 7.8.1.
public struct LESetEventMask: CommandParameters {
    public static var opcode: Opcode { .leSetEventMask }

    /// A bit an event; 1 lets it through.
    public var mask: LEEventMask

    public init(mask: LEEventMask) {
        self.mask = mask
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        mask = LEEventMask(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt64(mask.rawValue)
    }
}

/// What LE Read Buffer Size [v1] returns: how much LE data the controller takes at once. Core 6.0, Vol 4, Part E, 7.8.2.
public struct LEReadBufferSizeReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Bytes, without the header, 27 or more; 0 says that Read Buffer Size counts for LE too.
    public var aclDataLength: UInt16
    /// How many such packets the controller has room for.
    public var aclPacketCount: UInt8

    public init(status: ControllerError = .success, aclDataLength: UInt16 = 0, aclPacketCount: UInt8 = 0) {
        self.status = status
        self.aclDataLength = aclDataLength
        self.aclPacketCount = aclPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        aclDataLength = try bytes.takeUInt16()
        aclPacketCount = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(aclDataLength)
        out.appendUInt8(aclPacketCount)
    }
}

/// What LE Read Buffer Size [v2] returns: how much LE data the controller takes at once, ACL and isochronous. Core 6.0, Vol 4, Part E, 7.8.2.
public struct LEReadBufferSizeV2Return: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Bytes, without the header, 27 or more; 0 says that Read Buffer Size counts for LE too.
    public var aclDataLength: UInt16
    /// How many such packets the controller has room for.
    public var aclPacketCount: UInt8
    /// Bytes, without the header; 0 where there are no isochronous channels.
    public var isochronousDataLength: UInt16
    /// How many isochronous packets the controller has room for.
    public var isochronousPacketCount: UInt8

    public init(
        status: ControllerError = .success,
        aclDataLength: UInt16 = 0,
        aclPacketCount: UInt8 = 0,
        isochronousDataLength: UInt16 = 0,
        isochronousPacketCount: UInt8 = 0
    ) {
        self.status = status
        self.aclDataLength = aclDataLength
        self.aclPacketCount = aclPacketCount
        self.isochronousDataLength = isochronousDataLength
        self.isochronousPacketCount = isochronousPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        aclDataLength = try bytes.takeUInt16()
        aclPacketCount = try bytes.takeUInt8()
        isochronousDataLength = try bytes.takeUInt16()
        isochronousPacketCount = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(aclDataLength)
        out.appendUInt8(aclPacketCount)
        out.appendUInt16(isochronousDataLength)
        out.appendUInt8(isochronousPacketCount)
    }
}

/// What LE Read Local Supported Features returns. Core 6.0, Vol 4, Part E, 7.8.3.
public struct LEReadLocalSupportedFeaturesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a feature.
    public var features: LEFeatures

    public init(status: ControllerError = .success, features: LEFeatures = []) {
        self.status = status
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        features = LEFeatures(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(features.rawValue)
    }
}

/// LE Set Random Address: the random address for advertising, scanning and initiating. Core 6.0, Vol 4, Part E, 7.8.4.
public struct LESetRandomAddress: CommandParameters {
    public static var opcode: Opcode { .leSetRandomAddress }

    /// A random address of any kind.
    public var address: DeviceAddress

    public init(address: DeviceAddress) {
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        address.write(to: &out)
    }
}

/// LE Set Host Channel Classification: channels the host knows to be bad. Core 6.0, Vol 4, Part E, 7.8.19.
public struct LESetHostChannelClassification: CommandParameters {
    public static var opcode: Opcode { .leSetHostChannelClassification }

    /// 37 bits, the first the lowest of the first byte: 1 unknown, 0 bad. At least one channel.
    public var channels: [UInt8]

    public init(channels: [UInt8]) {
        self.channels = channels
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        channels = try bytes.takeBytes(5)
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(5, channels)
    }

    /// The bits as a channel map; nil where fewer than two channels are left or a reserved bit is set.
    public var channelMap: ChannelMap? {
        ChannelMap(bits: channels.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// LE Encrypt: one block of AES-128. Core 6.0, Vol 4, Part E, 7.8.22.
public struct LEEncrypt: CommandParameters {
    public static var opcode: Opcode { .leEncrypt }

    /// Least significant byte first.
    public var key: [UInt8]
    /// Least significant byte first.
    public var plaintext: [UInt8]

    public init(key: [UInt8], plaintext: [UInt8]) {
        self.key = key
        self.plaintext = plaintext
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        key = try bytes.takeBytes(16)
        plaintext = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(16, key)
        out.appendExactly(16, plaintext)
    }
}

/// What LE Encrypt returns. Core 6.0, Vol 4, Part E, 7.8.22.
public struct LEEncryptReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Least significant byte first.
    public var ciphertext: [UInt8]

    public init(status: ControllerError = .success, ciphertext: [UInt8] = [UInt8](repeating: 0, count: 16)) {
        self.status = status
        self.ciphertext = ciphertext
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        ciphertext = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendExactly(16, ciphertext)
    }
}

/// What LE Rand returns. Core 6.0, Vol 4, Part E, 7.8.23.
public struct LERandReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 64 random bits.
    public var number: UInt64

    public init(status: ControllerError = .success, number: UInt64 = 0) {
        self.status = status
        self.number = number
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        number = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(number)
    }
}

/// What LE Read Supported States returns: which roles can be played at once. Core 6.0, Vol 4, Part E, 7.8.27.
public struct LEReadSupportedStatesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a combination; the table stands in the section named.
    public var states: UInt64

    public init(status: ControllerError = .success, states: UInt64 = 0) {
        self.status = status
        self.states = states
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        states = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(states)
    }
}

/// What LE Read Transmit Power returns: the range of power the controller can send with. Core 6.0, Vol 4, Part E, 7.8.74.
public struct LEReadTransmitPowerReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The weakest.
    public var minimum: SignalStrength
    /// The strongest.
    public var maximum: SignalStrength

    public init(
        status: ControllerError = .success,
        minimum: SignalStrength = SignalStrength(dBm: 0),
        maximum: SignalStrength = SignalStrength(dBm: 0)
    ) {
        self.status = status
        self.minimum = minimum
        self.maximum = maximum
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        minimum = SignalStrength(dBm: try bytes.takeInt8())
        maximum = SignalStrength(dBm: try bytes.takeInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendInt8(minimum.dBm)
        out.appendInt8(maximum.dBm)
    }
}

/// What LE Read RF Path Compensation returns. Core 6.0, Vol 4, Part E, 7.8.75.
public struct LEReadRFPathCompensationReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Gain between transmitter and antenna: steps of 0.1 dB, two's complement.
    public var transmit: UInt16
    /// Gain between antenna and receiver: steps of 0.1 dB, two's complement.
    public var receive: UInt16

    public init(status: ControllerError = .success, transmit: UInt16 = 0, receive: UInt16 = 0) {
        self.status = status
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmit = try bytes.takeUInt16()
        receive = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(transmit)
        out.appendUInt16(receive)
    }
}

/// LE Write RF Path Compensation: what lies between radio and antenna. Core 6.0, Vol 4, Part E, 7.8.76.
public struct LEWriteRFPathCompensation: CommandParameters {
    public static var opcode: Opcode { .leWriteRFPathCompensation }

    /// Gain between transmitter and antenna: steps of 0.1 dB, two's complement, -128 to 128 dB.
    public var transmit: UInt16
    /// Gain between antenna and receiver: steps of 0.1 dB, two's complement, -128 to 128 dB.
    public var receive: UInt16

    public init(transmit: UInt16, receive: UInt16) {
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        transmit = try bytes.takeUInt16()
        receive = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(transmit)
        out.appendUInt16(receive)
    }
}

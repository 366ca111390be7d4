public import BluethroatAirPackets
public import BluethroatBluetoothValues
import BluethroatByteCoding

/// The ten bytes in front of each captured frame: what a receiver's radio knows besides the frame.
/// tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html
public struct RadioHeader: Hashable, Sendable {
    /// What the frame's access address does not show about the PDU.
    public enum PDUType: UInt16, Sendable {
        /// Advertising, or data of a connection whose beginning was not seen.
        case advertisingOrData = 0
        case auxiliaryAdvertising = 1
        case dataCentralToPeripheral = 2
        case dataPeripheralToCentral = 3
    }

    /// What is known of a frame's CRC.
    public enum CRCState: UInt16, Sendable {
        case notChecked = 0x0000
        case wrong = 0x0400
        case right = 0x0C00
    }

    /// Bytes of the header.
    public static let length = 10

    /// Where the frame was sent.
    public var channel: ChannelIndex
    /// How its symbols were sent.
    public var phy: PHY
    /// How LE Coded was coded; nil on other PHYs.
    public var coding: AirTime.Coding?
    /// How loud the frame was; nil where it was not measured.
    public var signal: SignalStrength?
    /// How loud the rest was; nil where it was not measured.
    public var noise: SignalStrength?
    /// The access address that was waited for; nil where any was.
    public var referenceAccessAddress: AccessAddress?
    /// In how many bits the frame's access address differs from that.
    public var accessAddressOffenses: UInt8
    /// What kind of PDU it carries, and which way.
    public var pduType: PDUType
    /// Whether its CRC is right.
    public var crc: CRCState

    public init(
        channel: ChannelIndex,
        phy: PHY,
        coding: AirTime.Coding? = nil,
        signal: SignalStrength? = nil,
        noise: SignalStrength? = nil,
        referenceAccessAddress: AccessAddress? = nil,
        accessAddressOffenses: UInt8 = 0,
        pduType: PDUType = .advertisingOrData,
        crc: CRCState = .notChecked
    ) {
        self.channel = channel
        self.phy = phy
        self.coding = phy == .leCoded ? coding ?? .s8 : nil
        self.signal = signal
        self.noise = noise
        self.referenceAccessAddress = referenceAccessAddress
        self.accessAddressOffenses = accessAddressOffenses
        self.pduType = pduType
        self.crc = crc
    }

    /// Channels counted by frequency: 0 is 2402 MHz, which is advertising channel 37.
    var radioChannel: UInt8 { UInt8((channel.frequencyMHz - 2402) / 2) }

    func write(to out: inout [UInt8]) {
        out.appendUInt8(radioChannel)
        out.appendInt8(signal?.dBm ?? 0)
        out.appendInt8(noise?.dBm ?? 0)
        out.appendUInt8(accessAddressOffenses)
        out.appendUInt32(referenceAccessAddress?.rawValue ?? 0)
        out.appendUInt16(flags)
    }

    private var flags: UInt16 {
        // Frames are kept as they are before whitening.
        var flags: UInt16 = 0x0001
        if signal != nil { flags |= 0x0002 }
        if noise != nil { flags |= 0x0004 }
        // Offenses are counted from the reference address, so one means the other.
        if referenceAccessAddress != nil { flags |= 0x0010 | 0x0020 }
        return flags | pduType.rawValue << 7 | crc.rawValue | UInt16(phy.rawValue - 1) << 14
    }
}

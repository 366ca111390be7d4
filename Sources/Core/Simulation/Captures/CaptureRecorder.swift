public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// One pcapng capture of a whole world: the air as its first interface, the HCI of each device as one more.
///
/// It keeps no file: the owner of one takes the bytes now and then.
///
///     recorder.record(frame: frame, channel: channel, phy: .le1M, signal: power, from: 3, at: now)
///     file.append(recorder.takeBytes())
public struct CaptureRecorder: Sendable {
    private var writer: PCAPNGWriter
    private(set) var watch = ConnectionWatch()
    private let air: PCAPNGWriter.Interface
    private var bytes: [UInt8] = []

    public init(epoch: CaptureEpoch, application: String = "Bluethroat") {
        writer = PCAPNGWriter(epoch: epoch)
        writer.writeSectionHeader(application: application, into: &bytes)
        air = writer.addInterface(
            .bluetoothLELinkLayerWithRadioHeader,
            name: "air",
            description: "Every frame on the air, as it was sent",
            into: &bytes
        )
    }

    /// Announces a device whose HCI packets will follow; `name` should be unlike the others, e.g. `hci2`.
    public mutating func addHCI(name: String, description: String) -> PCAPNGWriter.Interface {
        writer.addInterface(.bluetoothHCIH4WithDirection, name: name, description: description, into: &bytes)
    }

    /// Announces lines of text, such as what programs are told; `name` should be unlike the others.
    public mutating func addMessages(name: String, description: String) -> PCAPNGWriter.Interface {
        writer.addInterface(.upperPDU, name: name, description: description, into: &bytes)
    }

    /// Records a line of text, which Wireshark shows as a message of syslog.
    public mutating func record(
        message: String,
        isWarning: Bool = false,
        on interface: PCAPNGWriter.Interface,
        at instant: Instant
    ) {
        writer.write(message: message, severity: isWarning ? 4 : 6, on: interface, at: instant, into: &bytes)
    }

    /// Records a frame at the instant at which its preamble begins.
    ///
    /// `transmitter` is any number that is the same for all frames of one device: by it the recorder distinguishes a
    /// connection's central from its peripheral.
    public mutating func record(
        frame: [UInt8],
        channel: ChannelIndex,
        phy: PHY,
        coding: AirTime.Coding? = nil,
        signal: SignalStrength,
        from transmitter: UInt32,
        at instant: Instant,
        comment: String? = nil
    ) {
        // An access address is the least that a radio can have locked on to.
        guard frame.count >= AirFrame.headerOffset else { return }
        let (pduType, crc) = watch.observe(frame, from: transmitter, at: instant)
        let header = RadioHeader(
            channel: channel,
            phy: phy,
            coding: coding,
            signal: signal,
            referenceAccessAddress: AirFrame.accessAddress(of: frame),
            pduType: pduType,
            crc: crc
        )
        writer.write(frame: frame, header: header, on: air, at: instant, comment: comment, into: &bytes)
    }

    /// Records a packet that crosses the HCI of a device, H4 byte first.
    public mutating func record(
        hci packet: [UInt8],
        direction: HCIDirection,
        on interface: PCAPNGWriter.Interface,
        at instant: Instant,
        comment: String? = nil
    ) {
        writer.write(
            hci: packet,
            direction: direction,
            on: interface,
            at: instant,
            comment: comment,
            into: &bytes
        )
    }

    /// How many bytes wait to be taken.
    public var pendingByteCount: Int { bytes.count }

    /// What was recorded since the last call; the first time it begins with the file's header.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}

import BluethroatAttributeText
import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
public import BluethroatVirtualTime

/// Which device is meant: an address, if it is written like one, else a name as advertised.
public enum DeviceTarget: Hashable, Sendable {
    /// The 48 bits; public or random will be found out.
    case address(UInt64)
    case name(String)

    /// An address, if it is written like one, else a name.
    public init(_ text: String) {
        if let address = DeviceAddress(text, kind: .public) {
            self = .address(address.value)
        } else {
            self = .name(text)
        }
    }

    /// Whether it is the device that is meant, by what it advertises. A name that it advertises as shortened is the
    /// beginning of the one that is meant (Core Specification Supplement, Part A, 1.2).
    public func matches(_ device: DiscoveryCache.Entry) -> Bool {
        switch self {
        case .address(let value): device.address.value == value
        case .name(let name):
            device.localName == name || device.shortenedName.map { name.utf8.starts(with: $0) } ?? false
        }
    }

    /// What a device that was heard has to do with the one that is meant.
    enum Match {
        case isMeant
        /// It has the name of a bonded device, and is another one.
        case bearsTheName
        case isAnother
    }

    /// `identity` is that of the bonded device which was heard, `bonded` are the devices with a bond that are meant.
    func match(
        _ device: DiscoveryCache.Entry,
        identity: DeviceAddress?,
        bonded: [DeviceAddress],
        isStrict: Bool
    ) -> Match {
        if bonded.contains(identity ?? device.address) { return .isMeant }
        guard matches(device) else { return .isAnother }
        // A bonded device must not be confused with one that only has its name.
        if isStrict, !bonded.isEmpty, case .name = self { return .bearsTheName }
        return .isMeant
    }

    /// Whether the bond is with the device that is meant.
    public func matches(_ bond: Bond) -> Bool {
        switch self {
        case .address(let value): bond.peer.value == value
        case .name(let name): bond.name == name
        }
    }
}

extension DeviceTarget {
    /// As it was typed, for the commands that a message suggests.
    public var text: String {
        switch self {
        case .address: description
        case .name(let name): name
        }
    }
}

extension DeviceTarget: CustomStringConvertible {
    public var description: String {
        switch self {
        case .address(let value): DeviceAddress(value: value, kind: .public).description
        case .name(let name): "\"\(name)\""
        }
    }
}

extension DiscoveryCache.Entry {
    /// The bytes of a name that is advertised as shortened; nil if there is none, or the complete one is known.
    fileprivate var shortenedName: [UInt8]? {
        guard advertisingData.first(.completeLocalName) == nil else { return nil }
        return advertisingData.first(.shortenedLocalName).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension OperationFailure {
    /// A device, or nil for any device, did not advertise within `patience`; with what fits it to do about that, or with
    /// the names that were `heard` instead: one of them may be the name that was meant.
    public static func nothingFound(
        _ device: DeviceTarget?,
        in patience: TimeSpan,
        heard: [DiscoveryCache.Entry] = []
    ) -> Self {
        let seconds = Seconds(span: patience)
        let sentence =
            switch device {
            case nil: "no device was heard in \(seconds) s; is one advertising?"
            case let device? where !heard.isEmpty:
                "\(device) was not heard in \(seconds) s, but \(said(heard)); `bluethroat scan` lists what advertises"
            case let device? where device.isKeyFob:
                "\(device) was not heard in \(seconds) s; is it advertising? A key fob does for 30 s after its right key"
            case let device?:
                "\(device) was not heard in \(seconds) s; is it advertising, and not connected to another central?"
            }
        return Self(sentence, .nothingFound)
    }

    /// The names of the first few devices; the address of one without a name.
    private static func said(_ heard: [DiscoveryCache.Entry]) -> String {
        let shown = heard.prefix(3).map { device in
            device.localName.map { "\"\(DecodedValue.harmless($0))\"" } ?? device.address.description
        }
        let others = heard.count > shown.count ? " and \(heard.count - shown.count) more" : ""
        return shown.joined(separator: ", ") + others + (heard.count == 1 ? " was" : " were")
    }
}

extension DeviceTarget {
    /// Whether TI's key fob is meant, by its name or by TI's block of addresses.
    fileprivate var isKeyFob: Bool {
        switch self {
        case .name(let name): name.lowercased().contains("keyfob")
        case .address(let value): value >> 24 == 0x78C5E5
        }
    }
}

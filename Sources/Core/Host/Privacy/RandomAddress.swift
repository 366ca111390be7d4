internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// The one random address that the controller has at a time, and where new ones come from. Core 6.0, Vol 6, Part B,
/// 1.3.2, and Vol 4, Part E, 7.8.4.
struct RandomAddress {
    /// What the controller's address is.
    private(set) var use = RandomAddressUse.staticDevice
    private(set) var address: DeviceAddress
    /// When the controller was given it.
    private(set) var since = Instant.zero
    /// Whether it is to be replaced before it is shown again.
    var isStale = false

    private let staticAddress: DeviceAddress
    private let resolvingKey: Block128
    private var random: CipherRandom

    init(staticAddress: DeviceAddress, resolvingKey: Block128, random: CipherRandom) {
        address = staticAddress
        self.staticAddress = staticAddress
        self.resolvingKey = resolvingKey
        self.random = random
    }

    /// Whether the controller has what is needed.
    func serves(_ wanted: RandomAddressUse) -> Bool { use == wanted && !(isStale && wanted != .staticDevice) }

    /// An address for the controller.
    mutating func draw(_ use: RandomAddressUse) -> DeviceAddress {
        switch use {
        case .staticDevice: staticAddress
        case .resolvable: resolvable(with: AESKey(resolvingKey))
        case .nonResolvable: nonResolvable()
        }
    }

    /// The controller has taken an address.
    mutating func took(_ use: RandomAddressUse, _ address: DeviceAddress, at now: Instant) {
        self.use = use
        self.address = address
        since = now
        isStale = false
    }

    /// The controller was reset, and has its static address again.
    mutating func reset() { took(.staticDevice, staticAddress, at: .zero) }

    /// An address that devices with the key recognise.
    mutating func resolvable(with key: AESKey) -> DeviceAddress {
        AddressHash.resolvableAddress(key: key, using: &random)
    }

    private mutating func nonResolvable() -> DeviceAddress {
        let mask: UInt64 = 1 << 46 - 1
        while true {
            let bits = random.next() & mask
            if bits != 0, bits != mask { return DeviceAddress(value: bits, kind: .random) }
        }
    }
}

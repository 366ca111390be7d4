import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Key sizes out of range")
struct KeySizeSettingTests {
    static let wrong: [(Int, Int)] = [
        (6, 16), (7, 17), (10, 9), (0, 0), (17, 17), (-1, 300), (.min, .max), (.max, .min),
    ]

    private static func settings(_ minimum: Int, _ maximum: Int) -> PairingSettings {
        var settings = PairingSettings()
        settings.minimumKeySize = minimum
        settings.maximumKeySize = maximum
        return settings
    }

    @Test("An order that can throw refuses them, and nothing is sent", arguments: wrong)
    func refused(_ minimum: Int, _ maximum: Int) throws {
        var pair = SecuredPair([PairingSettings(), PairingSettings()])
        try pair.connect()
        let link = pair.links[0]
        #expect(throws: PairingOrderError.keySizesOutOfRange) { try pair.pair(Self.settings(minimum, maximum)) }
        #expect(throws: PairingOrderError.keySizesOutOfRange) {
            try pair.host(0).setPairingSettings(Self.settings(minimum, maximum), on: link)
        }
        try pair.pair()
        #expect(pair.link(0)?.keySize == 16)
    }

    @Test(
        "Where no order can throw the nearest sizes count, and a key is never shorter than was asked",
        arguments: wrong
    )
    func clamped(_ minimum: Int, _ maximum: Int) throws {
        let settings = Self.settings(minimum, maximum)
        var legacy = PairingSettings()
        legacy.secureConnections = .never
        var pair = SecuredPair([legacy, settings])
        pair.host(1).pairingSettings = settings
        try pair.connect()
        try pair.pair()
        let size = try #require(pair.link(0)?.keySize)
        let shortest = min(max(minimum, 7), 16)
        #expect(Int(size) == max(shortest, min(max(maximum, 7), 16)))
    }
}

import CoreBluetooth
import Foundation

/// What the app publishes: the values that change, and the services in the order in which they are added.
struct FobServices {
    /// The values that the app itself hands out, takes or sends.
    enum Value: Hashable {
        case keyState
        case batteryLevel
        case accelerometerEnabled
        case acceleration
        case x
        case y
        case z
        case transmitPower
        case immediateAlert
        case linkLossAlert
    }

    private(set) var all: [CBMutableService] = []
    private let places: [(value: Value, characteristic: CBMutableCharacteristic)]

    init(limits: IOS6Limits) {
        let writes: CBCharacteristicProperties =
            limits.contains(.writeWithoutResponse) ? .write : [.write, .writeWithoutResponse]
        var places: [(value: Value, characteristic: CBMutableCharacteristic)] = []
        func dynamic(
            _ value: Value,
            _ uuid: String,
            _ properties: CBCharacteristicProperties,
            _ permissions: CBAttributePermissions = .readable
        ) -> CBMutableCharacteristic {
            let characteristic = CBMutableCharacteristic(
                type: CBUUID(string: uuid),
                properties: properties,
                value: nil,
                permissions: permissions
            )
            places.append((value, characteristic))
            return characteristic
        }
        all = [
            .primary("FFE0", [dynamic(.keyState, "FFE1", .notify)]),
            .primary("180F", [dynamic(.batteryLevel, "2A19", [.notify, .read])]),
            .primary(
                "FFA0",
                [
                    dynamic(.accelerometerEnabled, "FFA1", [.write, .read], [.readable, .writeable]),
                    .fixed("FFA2", [0x14, 0x00]),
                    dynamic(.x, "FFA3", .notify),
                    dynamic(.y, "FFA4", .notify),
                    dynamic(.z, "FFA5", .notify),
                    dynamic(.acceleration, "FFAA", .notify),
                ]
            ),
            .primary("1804", [dynamic(.transmitPower, "2A07", .read)]),
            .primary("1802", [dynamic(.immediateAlert, "2A06", writes, [.readable, .writeable])]),
            .primary("180A", Self.deviceInformation),
        ]
        if !limits.contains(.linkLoss) {
            all.append(
                .primary("1803", [dynamic(.linkLossAlert, "2A06", [.read, .write], [.readable, .writeable])])
            )
        }
        self.places = places
    }

    func value(of characteristic: CBCharacteristic) -> Value? {
        places.first { $0.characteristic === characteristic }?.value
    }

    func characteristic(of value: Value) -> CBMutableCharacteristic? {
        places.first { $0.value == value }?.characteristic
    }

    private static var deviceInformation: [CBMutableCharacteristic] {
        [
            .fixed("2A29", "MANUFACTURER NAME"), .fixed("2A24", "MODEL NUMBER"), .fixed("2A25", "SERIAL NUMBER"),
            .fixed("2A27", "HARDWARE REVISION"), .fixed("2A28", "SOFTWARE REVISION"),
            .fixed("2A26", "FIRMWARE REVISION"),
            .fixed("2A23", [0x0D, 0x76, 0x9B, 0x00, 0x00, 0xE5, 0xC5, 0x78]),
            .fixed("2A2A", [0xFE, 0x00] + Array("experimental".utf8)),
            .fixed("2A50", [0x01, 0x0D, 0x00, 0x00, 0x00, 0x10, 0x01]),
        ]
    }
}

extension CBMutableService {
    fileprivate static func primary(_ uuid: String, _ characteristics: [CBMutableCharacteristic]) -> CBMutableService {
        let service = CBMutableService(type: CBUUID(string: uuid), primary: true)
        service.characteristics = characteristics
        return service
    }
}

extension CBMutableCharacteristic {
    /// A value that never changes; the system answers reads.
    fileprivate static func fixed(_ uuid: String, _ value: [UInt8]) -> CBMutableCharacteristic {
        CBMutableCharacteristic(
            type: CBUUID(string: uuid),
            properties: .read,
            value: Data(value),
            permissions: .readable
        )
    }

    fileprivate static func fixed(_ uuid: String, _ text: String) -> CBMutableCharacteristic {
        fixed(uuid, Array(text.utf8))
    }
}

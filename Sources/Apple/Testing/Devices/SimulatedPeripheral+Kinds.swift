public import CoreBluetooth

/// Peripherals ready to be put on the air.
extension SimulatedPeripheral {
    /// Something with a battery, and nothing else. `send([50], of: "2A19")` drains it to 50 %.
    public static func battery(named name: String = "Battery", level: UInt8 = 100) -> SimulatedPeripheral {
        let level = SimulatedCharacteristic("2A19", [.read, .notify], value: [level])
        return SimulatedPeripheral(named: name, services: [SimulatedService("180F", characteristics: [level])])
    }

    /// A beacon, which accepts no connection: it advertises these bytes of its maker's, company identifier first.
    public static func beacon(
        named name: String = "Beacon",
        manufacturerData: Data,
        interval: Duration = .milliseconds(100)
    ) -> SimulatedPeripheral {
        let advertisement = SimulatedAdvertisement(
            name: .none,
            manufacturerData: manufacturerData,
            interval: interval,
            isConnectable: false
        )
        return SimulatedPeripheral(named: name, advertising: advertisement)
    }

    /// An iBeacon. CoreBluetooth on a phone does not report the bytes of one; this phone does.
    public static func iBeacon(uuid: UUID, major: UInt16, minor: UInt16, measuredPower: Int8 = -59)
        -> SimulatedPeripheral
    {
        var data = Data([0x4C, 0x00, 0x02, 0x15])
        withUnsafeBytes(of: uuid.uuid) { data.append(contentsOf: $0) }
        for number in [major, minor] { data.append(contentsOf: [UInt8(number >> 8), UInt8(number & 0xFF)]) }
        data.append(UInt8(bitPattern: measuredPower))
        return .beacon(named: "iBeacon", manufacturerData: data)
    }
}

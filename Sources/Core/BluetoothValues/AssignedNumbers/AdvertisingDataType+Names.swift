extension AdvertisingData.DataType {
    /// What structures of this type hold; nil if the number is not assigned. Assigned Numbers, 2.3.
    public var assignedName: String? { Self.names.name(of: UInt16(rawValue)) }

    private static let names = NameTable(
        #"""
        0001 Flags
        0002 Incomplete List of 16-bit Service UUIDs
        0003 Complete List of 16-bit Service UUIDs
        0004 Incomplete List of 32-bit Service UUIDs
        0005 Complete List of 32-bit Service UUIDs
        0006 Incomplete List of 128-bit Service UUIDs
        0007 Complete List of 128-bit Service UUIDs
        0008 Shortened Local Name
        0009 Complete Local Name
        000A Tx Power Level
        000D Class of Device
        000E Simple Pairing Hash C-192
        000F Simple Pairing Randomizer R-192
        0010 Security Manager TK Value
        0011 Security Manager Out of Band Flags
        0012 Peripheral Connection Interval Range
        0014 List of 16-bit Service Solicitation UUIDs
        0015 List of 128-bit Service Solicitation UUIDs
        0016 Service Data - 16-bit UUID
        0017 Public Target Address
        0018 Random Target Address
        0019 Appearance
        001A Advertising Interval
        001B LE Bluetooth Device Address
        001C LE Role
        001D Simple Pairing Hash C-256
        001E Simple Pairing Randomizer R-256
        001F List of 32-bit Service Solicitation UUIDs
        0020 Service Data - 32-bit UUID
        0021 Service Data - 128-bit UUID
        0022 LE Secure Connections Confirmation Value
        0023 LE Secure Connections Random Value
        0024 URI
        0025 Indoor Positioning
        0026 Transport Discovery Data
        0027 LE Supported Features
        0028 Channel Map Update Indication
        0029 PB-ADV
        002A Mesh Message
        002B Mesh Beacon
        002C BIGInfo
        002D Broadcast_Code
        002E Resolvable Set Identifier
        002F Advertising Interval - long
        0030 Broadcast_Name
        0031 Encrypted Advertising Data
        0032 Periodic Advertising Response Timing Information
        0034 Electronic Shelf Label
        003D 3D Information Data
        00FF Manufacturer Specific Data
        """#
    )
}

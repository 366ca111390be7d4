public import BluethroatByteCoding

/// How these values stand in the fields of commands and events.
extension Opcode: FieldConvertible {}
extension OwnAddressType: FieldConvertible {}
extension AdvertisingType: FieldConvertible {}
extension AdvertisingFilterPolicy: FieldConvertible {}
extension ScanFilterPolicy: FieldConvertible {}
extension InitiatorFilterPolicy: FieldConvertible {}
extension AdvertisingReportType: FieldConvertible {}
extension AdvertisingDataOperation: FieldConvertible {}
extension FragmentPreference: FieldConvertible {}
extension PeerAddress.AddressType: FieldConvertible {}
extension PHYIndifference: FieldConvertible {}
extension AdvertisingProperties: FieldConvertible {}
extension ExtendedAdvertisingReportType: FieldConvertible {}
extension LEFeatures: FieldConvertible {}
extension LMPFeatures: FieldConvertible {}
extension EventMask: FieldConvertible {}
extension EventMaskPage2: FieldConvertible {}
extension LEEventMask: FieldConvertible {}
extension ReadTransmitPowerLevel.Kind: FieldConvertible {}
extension SetControllerToHostFlowControl.Control: FieldConvertible {}
extension LESetPrivacyMode.Mode: FieldConvertible {}
extension LESetExtendedScanEnable.DuplicateFilter: FieldConvertible {}
extension LEChannelSelectionAlgorithm.Algorithm: FieldConvertible {}
extension DataBufferOverflow.Link: FieldConvertible {}

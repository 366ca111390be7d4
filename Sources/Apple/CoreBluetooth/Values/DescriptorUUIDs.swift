// UUIDs that the system knows: standard descriptors, and the characteristic for L2CAP channels.

/// Characteristic Aggregate Format. Its value is `Data`.
public let CBUUIDCharacteristicAggregateFormatString: String = "2905"

/// Characteristic Extended Properties. Its value is an `NSNumber`.
public let CBUUIDCharacteristicExtendedPropertiesString: String = "2900"

/// Characteristic Presentation Format. Its value is `Data`.
public let CBUUIDCharacteristicFormatString: String = "2904"

/// Observation Schedule. Its value is `Data`.
public let CBUUIDCharacteristicObservationScheduleString: String = "2910"

/// Characteristic User Description. Its value is a `String`.
public let CBUUIDCharacteristicUserDescriptionString: String = "2901"

/// Valid Range. Its value is `Data`.
public let CBUUIDCharacteristicValidRangeString: String = "2906"

/// Client Characteristic Configuration. Its value is an `NSNumber`, and `setNotifyValue` writes it.
public let CBUUIDClientCharacteristicConfigurationString: String = "2902"

/// The characteristic that holds the PSM of a peripheral's L2CAP channel: 16 bits, the least significant byte first.
public let CBUUIDL2CAPPSMCharacteristicString: String = "ABDD3056-28FA-441D-A470-55A75A52553A"

/// Server Characteristic Configuration. Its value is an `NSNumber`.
public let CBUUIDServerCharacteristicConfigurationString: String = "2903"

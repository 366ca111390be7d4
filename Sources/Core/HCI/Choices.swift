/// Under which address the controller itself appears. Core 6.0, Vol 4, Part E, 7.8.5.
public enum OwnAddressType: UInt8, Sendable, CaseIterable {
    case `public` = 0
    /// The one of LE Set Random Address, or of the advertising set.
    case random = 1
    /// A private address made with the resolving list's local key for the peer, else the public address.
    case resolvableOrPublic = 2
    /// A private address made with the resolving list's local key for the peer, else the random address.
    case resolvableOrRandom = 3
}

/// What legacy advertising invites to. Core 6.0, Vol 4, Part E, 7.8.5.
public enum AdvertisingType: UInt8, Sendable, CaseIterable {
    /// ADV_IND.
    case connectable = 0
    /// ADV_DIRECT_IND as fast as can be, for at most 1.28 s.
    case directedHighDutyCycle = 1
    /// ADV_SCAN_IND.
    case scannable = 2
    /// ADV_NONCONN_IND.
    case nonConnectable = 3
    /// ADV_DIRECT_IND at the interval given.
    case directedLowDutyCycle = 4
}

/// From whom an advertiser takes requests. Core 6.0, Vol 4, Part E, 7.8.5.
public enum AdvertisingFilterPolicy: UInt8, Sendable, CaseIterable {
    case everybody = 0
    /// Scan requests from listed devices, connections from any device.
    case scansFromList = 1
    /// Connections from listed devices, scan requests from any device.
    case connectionsFromList = 2
    case onlyFromList = 3
}

/// Which devices a scanner reports. Core 6.0, Vol 4, Part E, 7.8.10.
public enum ScanFilterPolicy: UInt8, Sendable, CaseIterable {
    /// All devices, except directed advertising to others.
    case basicUnfiltered = 0
    /// Listed devices, except directed advertising to others.
    case basicFiltered = 1
    /// All devices, and directed advertising to private addresses that could not be resolved.
    case extendedUnfiltered = 2
    /// Listed devices, and directed advertising to private addresses that could not be resolved.
    case extendedFiltered = 3
}

/// To which devices an initiator connects. Core 6.0, Vol 4, Part E, 7.8.12.
public enum InitiatorFilterPolicy: UInt8, Sendable, CaseIterable {
    /// To the peer named in the command.
    case peer = 0
    /// To any device of the filter accept list.
    case list = 1
}

/// What a legacy report has heard. Core 6.0, Vol 4, Part E, 7.7.65.2.
public enum AdvertisingReportType: UInt8, Sendable, CaseIterable {
    /// ADV_IND.
    case connectable = 0
    /// ADV_DIRECT_IND.
    case directed = 1
    /// ADV_SCAN_IND.
    case scannable = 2
    /// ADV_NONCONN_IND.
    case nonConnectable = 3
    /// SCAN_RSP.
    case scanResponse = 4
}

/// Which part of an advertising set's data a command carries. Core 6.0, Vol 4, Part E, 7.8.54.
public enum AdvertisingDataOperation: UInt8, Sendable, CaseIterable {
    case intermediateFragment = 0
    case firstFragment = 1
    case lastFragment = 2
    case complete = 3
    /// No data: only the data's identifier changes.
    case unchanged = 4
}

/// Whether the controller may cut an advertising set's data up over several packets. Core 6.0, Vol 4, Part E, 7.8.54.
public enum FragmentPreference: UInt8, Sendable, CaseIterable {
    case mayFragment = 0
    case shouldNotFragment = 1
}

/// Which end of a connection a device is: the one that sets the connection parameters, or the one that advertised. Core
/// 6.0, Vol 6, Part B, 1.1; the numbers of HCI (Vol 4, Part E, 7.7.65.1).
public enum ConnectionRole: UInt8, Sendable, CaseIterable {
    case central = 0
    case peripheral = 1
}

public import BluethroatBluetoothValues

/// What commands and events about connection parameters have in common: intervals in steps of 1.25 ms, latency in
/// events, supervision timeout in steps of 10 ms. Core 6.0, Vol 4, Part E, 7.8.12, 7.8.18, 7.8.31, 7.7.65.6.
public protocol ConnectionParameterSteps {
    var minimumInterval: UInt16 { get }
    var maximumInterval: UInt16 { get }
    var maximumLatency: UInt16 { get }
    var supervisionTimeout: UInt16 { get }
}

extension ConnectionParameterSteps {
    /// The same as a range; nil where the specification does not allow it.
    public var range: ConnectionParameterRange? {
        ConnectionParameterRange(
            minimumSteps: minimumInterval,
            maximumSteps: maximumInterval,
            latencyEvents: maximumLatency,
            timeoutSteps: supervisionTimeout
        )
    }
}

extension LECreateConnection: ConnectionParameterSteps {}
extension LEConnectionUpdate: ConnectionParameterSteps {}
extension LERemoteConnectionParameterRequestReply: ConnectionParameterSteps {}
extension LERemoteConnectionParameterRequest: ConnectionParameterSteps {}

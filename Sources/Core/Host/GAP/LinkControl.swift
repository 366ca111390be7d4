internal import BluethroatBluetoothValues
internal import BluethroatHCI

/// The part of a link that the controller carries out for GAP: its parameters, PHYs and features, and its end.
struct LinkControl {
    var parameters: ConnectionParameters
    /// Whether the peer is known to be there, so that the application got the event.
    var isAnswered = true
    /// The change of parameters that the controller is working on.
    var update = ParameterUpdate.none
    /// Whose request for other PHYs the controller is working on.
    var phyChange = PHYChange.none
    /// Why the controller is asking for the peer's features.
    var featureReading: FeatureReading = []
    /// What the peer's Link Layer can do; nil if that is not known.
    var peerFeatures: LEFeatures?
    var isDisconnecting = false

    init(parameters: ConnectionParameters) { self.parameters = parameters }
}

/// A change of parameters under way at the controller.
enum ParameterUpdate: Equatable, Sendable {
    case none
    /// As central: the application asked for it.
    case own
    /// As central: the peer asked for it over L2CAP and got the answer that it will be done.
    case forPeer
    /// As peripheral: this is to be asked for as soon as it is known whether the peer has the Link Layer's procedure.
    case readingFeatures(ConnectionParameterRange)
    /// As peripheral: this was asked for with the Link Layer's procedure.
    case asking(ConnectionParameterRange)
}

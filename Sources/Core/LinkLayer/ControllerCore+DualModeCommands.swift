import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Commands about BR/EDR that hosts send before they look at what a controller is: Android does when it starts. They are
/// answered as by a controller whose name was never set and which has no further pages of features, and change nothing.
/// Core 6.0, Vol 4, Part E, 7.3.12, 7.3.59, 7.3.79, 7.4.4.
extension ControllerCore {
    mutating func readLocalName(_ command: ReadLocalName, at now: Instant, into actions: inout ControllerActions) {
        complete(.readLocalName, returning: ReadLocalNameReturn(), into: &actions)
    }

    mutating func writeSimplePairingMode(
        _ command: WriteSimplePairingMode,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.writeSimplePairingMode, .success, into: &actions)
    }

    mutating func writeLEHostSupport(
        _ command: WriteLEHostSupport,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.writeLEHostSupport, .success, into: &actions)
    }

    mutating func readLocalExtendedFeatures(
        _ command: ReadLocalExtendedFeatures,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard command.page == 0 else {
            return refuse(
                .readLocalExtendedFeatures,
                .invalidCommandParameters,
                parameters: [command.page],
                into: &actions
            )
        }
        let features = ReadLocalExtendedFeaturesReturn(features: Self.lmpFeatures.rawValue)
        complete(.readLocalExtendedFeatures, returning: features, into: &actions)
    }
}

import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// The commands about PHYs. Core 6.0, Vol 4, Part E, 7.8.47 to 7.8.49.
extension ControllerCore {
    mutating func leReadPHY(_ command: LEReadPHY, at now: Instant, into actions: inout ControllerActions) {
        guard let box = connection(command.connection) else {
            return refuseUnknown(command.connection, .leReadPHY, into: &actions)
        }
        let answer = LEReadPHYReturn(
            connection: command.connection,
            transmit: box.connection.phys.transmit,
            receive: box.connection.phys.receive
        )
        complete(.leReadPHY, returning: answer, into: &actions)
    }

    mutating func leSetDefaultPHY(_ command: LESetDefaultPHY, at now: Instant, into actions: inout ControllerActions) {
        var wanted = PHYPreference()
        let status = wanted.set(command.transmit, command.receive, indifferent: command.noPreference)
        if status == .success { defaultPHYs = wanted }
        complete(.leSetDefaultPHY, status, into: &actions)
    }

    mutating func leSetPHY(_ command: LESetPHY, at now: Instant, into actions: inout ControllerActions) {
        withConnection(command.connection, .leSetPHY, at: now, into: &actions) { link, output in
            var wanted = PHYPreference()
            let status = wanted.set(command.transmit, command.receive, indifferent: command.noPreference)
            guard status == .success else { return status }
            guard !link.procedures.isAsked(for: .phyUpdate) else { return .commandDisallowed }
            link.phys.prefer(wanted)
            if let features = link.procedures.features.peer, features.isDisjoint(with: [.le2MPHY, .leCodedPHY]) {
                output.events.append(link.phyUpdateComplete(.failed(.unsupportedRemoteFeature)))
                return .success
            }
            link.begin(.phyUpdate(wanted), at: now, into: &output)
            return .success
        }
    }
}

extension PHYPreference {
    /// Takes over what a host requests; a direction for which it has no preference stays as it is.
    fileprivate mutating func set(
        _ transmit: PHYSet,
        _ receive: PHYSet,
        indifferent: PHYIndifference
    ) -> ControllerError {
        if !indifferent.contains(.transmit) {
            guard !transmit.isEmpty else { return .invalidCommandParameters }
            guard transmit.isSubset(of: Self.supported) else { return .unsupportedFeatureOrParameterValue }
            self.transmit = transmit
        }
        if !indifferent.contains(.receive) {
            guard !receive.isEmpty else { return .invalidCommandParameters }
            guard receive.isSubset(of: Self.supported) else { return .unsupportedFeatureOrParameterValue }
            self.receive = receive
        }
        return .success
    }
}

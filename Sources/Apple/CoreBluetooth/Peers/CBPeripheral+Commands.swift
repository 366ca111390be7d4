internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
internal import Synchronization

extension CBPeripheral {
    /// Sends a command to the connected peripheral. Without a connection it is dropped, and this is reported to the
    /// developer.
    func submit(_ command: PeerCommand) {
        guard let manager, manager.takesCommands() else { return }
        guard let link = view.withLock({ $0.state == .connected ? $0.link : nil }) else {
            return noteNotConnected()
        }
        // A command takes its place whether there is one or not: what is too much may be lost on the way.
        if case .writeWithoutResponse = command {
            writeWindow.takeAnyway()
            observation.look()
        }
        manager.submit(.central(.peer(id, link, command)))
    }

    /// The same about an attribute, which must have been found on the connection that there is, and not have gone since.
    func submit(about attribute: CBAttribute, _ command: (AttributeHandle) -> PeerCommand) {
        let (link, isKnown) = view.withLock { ($0.link, $0.places.has(attribute)) }
        guard let place = attribute.place, link == nil || isKnown else {
            manager?.noteMisuse(
                .unknownAttribute,
                "API MISUSE: \(attribute) is not a valid attribute for peripheral \(self)"
            )
            return
        }
        submit(command(place.handle))
    }

    /// Reports to the developer that something was asked without a connection.
    package func noteNotConnected() {
        manager?.noteMisuse(
            .notConnected,
            "API MISUSE: \(objectDescription(self)) can only accept commands while in the connected state"
        )
    }

    /// Reports to the developer that nobody will hear what is discovered.
    func noteMissingDelegate(discovering what: String, _ method: String) {
        guard delegate == nil, state == .connected else { return }
        manager?.noteMisuse(
            .noDelegate,
            "API MISUSE: Discovering \(what) for peripheral \(self) while delegate is either nil or does not implement "
                + method
        )
    }

    /// Reports to the developer that iOS sends no write without response to a value that does not offer it.
    func noteUnofferedWrite(to characteristic: CBCharacteristic) {
        guard view.withLock({ $0.state == .connected && $0.places.has(characteristic) }),
            !characteristic.properties.contains(.writeWithoutResponse)
        else { return }
        manager?.noteMisuse(
            .responselessWriteNotOffered,
            "WARNING: Characteristic \(characteristic) does not specify the \"Write Without Response\" property: "
                + "iOS ignores the write"
        )
    }
}

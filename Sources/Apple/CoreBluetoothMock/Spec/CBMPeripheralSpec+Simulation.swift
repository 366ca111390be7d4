public import CoreBluetooth

/// What happens to a simulated peripheral: in the simulation of the current task, and only if it is simulated there.
extension CBMPeripheralSpec {
    /// Another app of the phone connects to the peripheral, as soon as it is heard. Nothing happens if it is out of range.
    public func simulateConnection() { MockSimulation.current.connectOtherApp(to: self) }

    /// The peripheral ends its connections.
    ///
    /// - Parameter error: what apps are told. With `CBMError(.connectionTimeout)` the peripheral says nothing, and they
    ///   hear of it when the supervision timeout ends.
    public func simulateDisconnection(withError error: any Error = CBMError(.peripheralDisconnected)) {
        MockSimulation.current.disconnect(self, error)
    }

    /// The peripheral is reset: it forgets its connections without a word, and advertises anew. Apps hear of it when the
    /// supervision timeout ends.
    public func simulateReset() { MockSimulation.current.reset(self) }

    /// The peripheral has another name and other services. Those that it has already stay; centrals get an indication of what
    /// has changed.
    public func simulateServiceChange(newName: String?, newServices: [CBMServiceMock]) {
        MockSimulation.current.changeServices(of: self, newName, newServices)
    }

    /// The peripheral is moved.
    public func simulateProximityChange(_ proximity: CBMProximity) { MockSimulation.current.move(self, to: proximity) }

    /// The peripheral sends a value to those who have subscribed, as a notification or an indication. Nothing happens if
    /// the characteristic is none of its own.
    public func simulateValueUpdate(_ data: Data, for characteristic: CBMCharacteristicMock) {
        MockSimulation.current.send(data, of: characteristic, from: self)
    }

    /// The peripheral advertises something else; nil is nothing.
    public func simulateAdvertisementChange(_ advertisement: [CBMAdvertisementConfig]?) {
        MockSimulation.current.changeAdvertisement(of: self, advertisement)
    }

    /// The phone has met the peripheral before, so that it can be retrieved without a scan.
    public func simulateCaching() { MockSimulation.current.remember(self) }

    /// The peripheral has another address, so that apps take it for another one. A connection that it has lasts.
    public func simulateMacChange(_ newIdentifier: UUID = UUID()) {
        MockSimulation.current.changeAddress(of: self, newIdentifier)
    }

    // MARK: What the original has not

    /// The peripheral forgets its bonds, as after a factory reset. The phone still has its own: the next time that it wants to
    /// encrypt, the connection ends, and the app hears `CBMError(.peerRemovedPairingInformation)`.
    public func simulateBondLoss() { MockSimulation.current.loseBonds(of: self) }

    /// The phone's person has it forget the peripheral: its bond, and with it a connection that there is.
    public func simulateForgetDevice() { MockSimulation.current.forgetDevice(self) }
}

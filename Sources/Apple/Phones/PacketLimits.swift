package import BluethroatHost
package import BluethroatLinkLayer
package import BluethroatPhoneService
package import BluethroatSimulation

/// What of a device's settings its host and its controller have to be told when they are made.
package struct PacketLimits: Hashable, Sendable {
    /// The longest ATT packet, 23 to 517 bytes.
    package var maximumMTU = 517
    /// The longest Link Layer packet, 27 to 251 bytes of payload.
    package var maximumDataLength = 251
    /// How many packets of the host the controller holds, 1 to 255.
    package var controllerBuffers = 12

    package init() {}

    package init(_ settings: PhoneSettings) {
        maximumMTU = settings.maximumMTU
        maximumDataLength = settings.maximumDataLength
        controllerBuffers = settings.controllerBuffers
    }

    /// A host that was configured to take less keeps to that.
    package func apply(to host: inout HostConfiguration) {
        host.maximumATTMTU = min(host.maximumATTMTU, min(max(maximumMTU, 23), 517))
    }

    package func apply(to controller: inout ControllerConfiguration) {
        controller.maximumDataOctets = UInt16(min(max(maximumDataLength, 27), 251))
        controller.aclPacketCount = UInt8(min(max(controllerBuffers, 1), 255))
    }

    /// The host of the next device of a world.
    package func host(_ given: HostConfiguration?, in world: World) -> HostConfiguration {
        var host = given ?? HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        apply(to: &host)
        return host
    }

    /// The controller of the next device of a world.
    package func controller(in world: World) -> ControllerConfiguration {
        var controller = ControllerConfiguration(publicAddress: world.defaultAddress(of: world.nextID.rawValue))
        apply(to: &controller)
        return controller
    }
}

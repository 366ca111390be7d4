import BluethroatBluetoothValues
import BluethroatVirtualTime
import FuzzInputs

/// Controllers between hosts that send anything and an air on which anything is sent.
enum LinkLayerFuzzTargets {
    static let all =
        [threeControllers, advertising, privacy]
        + [ConnectionRole.central, .peripheral].flatMap { [control($0), frames($0), encryption($0)] }

    /// Three controllers on one air with any HCI: their books balance, and after Reset two of them connect and pass data.
    static let threeControllers = FuzzTarget(machine: "controllers-hci", upTo: 800) { input in
        let world = ThreeControllers(seed: 1)
        // Time costs most here: what a few bytes can order has an end.
        while !input.isEmpty, world.air.now < Instant.zero + .seconds(8) { world.step(&input) }
        try world.checkUseful()
    }

    /// Frames on the advertising channels.
    static let advertising = FuzzTarget(machine: "controller-advertising", upTo: 1_500) { input in
        _ = try HostileAir.advertising(try Bench(), &input)
    }

    /// The resolving list and everything that depends on it, held against a model.
    static let privacy = FuzzTarget(machine: "controller-privacy", upTo: 800) { input in
        try FuzzedPrivacy.play(&input)
    }

    /// Control PDUs of a peer.
    static func control(_ role: ConnectionRole) -> FuzzTarget {
        FuzzTarget(machine: "controller-control-\(role)", upTo: 1_500) { input in
            _ = try HostileAir.controlPDUs(try Bench(), role, &input)
        }
    }

    /// Frames of a connection.
    static func frames(_ role: ConnectionRole) -> FuzzTarget {
        FuzzTarget(machine: "controller-frames-\(role)", upTo: 1_500) { input in
            let bench = try Bench()
            _ = try HostileAir.frames(bench, role, &input)
            try HostileAir.checkConnects(bench, role)
        }
    }

    /// Encryption procedures, and what comes between them.
    static func encryption(_ role: ConnectionRole) -> FuzzTarget {
        FuzzTarget(machine: "controller-encryption-\(role)", upTo: 1_500) { input in
            try HostileAir.encryption(try Bench(), role, &input)
        }
    }
}

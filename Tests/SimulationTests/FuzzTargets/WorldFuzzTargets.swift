import FuzzInputs

/// Devices on one air with an attacker who sends and hears raw frames.
enum WorldFuzzTargets {
    static let all = [link, reunion, CaptureFuzzTargets.keys]

    /// Two hosts with an encrypted link, which the attacker follows, injects into, jams and cuts off: nothing of his is
    /// written where encryption is needed, and afterwards the two have an encrypted link again.
    static let link = FuzzTarget(machine: "world-encrypted-link", upTo: 80) { input in
        var world = try AttackedLink()
        while !input.isEmpty { try world.step(&input) }
        try world.checkWorks()
    }

    /// Two hosts with bonds and private addresses that part and meet again, while the attacker plays back what both have
    /// advertised and asked for: no link counts as encrypted that the other one does not have, and they find each other again.
    static let reunion = FuzzTarget(machine: "world-private-reunion", upTo: 40) { input in
        var world = try PrivateReunion(&input)
        while !input.isEmpty { try world.step(&input) }
        try world.checkWorks()
    }
}

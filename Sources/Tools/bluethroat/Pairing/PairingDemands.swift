import ArgumentParser

/// What a command demands of every pairing, as central or as device.
struct PairingDemands: ParsableArguments {
    @Flag(help: "Take nothing but LE Secure Connections, safe from a man in the middle, with a key of 16 bytes.")
    var scOnly = false

    @Option(help: ArgumentHelp("The shortest key to take, in bytes: 7 to 16 (default: 7).", valueName: "bytes"))
    var minimumKeySize: Int?

    func validate() throws { try Self.check(minimumKeySize, "minimum") }

    /// Refuses a size that no key has.
    static func check(_ size: Int?, _ name: String) throws(ValidationError) {
        guard let size, !(7...16).contains(size) else { return }
        throw ValidationError("--\(name)-key-size \(size) is out of range; keys have 7 to 16 bytes")
    }
}

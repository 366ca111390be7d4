public import ArgumentParser
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatEvents
import BluethroatHost

/// For commands that have a connection: how its symbols go over the air.
struct RadioOptions: ParsableArguments {
    @Option(help: "Ask for LE 2M, or stay on LE 1M (default: as the peer likes).")
    var phy: Central.PHYChoice?
}

extension Central.PHYChoice: ExpressibleByArgument {}

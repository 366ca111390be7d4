import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// What goes over a connection, from application to application.
enum LinkOperations {
    static var all: [Operation] {
        [
            notifications("notification.20", 20), notifications("notification.244", 244),
            notifications("encryptedNotification.20", 20, isEncrypted: true),
            notifications("encryptedNotification.244", 244, isEncrypted: true),
            Operation(name: "read.20", unit: "round trips", steps: (20, 80)) {
                let pair = try ValueBenches.readingPair(20)
                return run(pair, .milliseconds(500)) { pair.central.count }
            },
            Operation(name: "idleConnection", unit: "connection events", steps: (20, 80)) {
                let pair = Pair()
                try pair.connect()
                guard let interval = pair.central.connection?.parameters.interval.span else {
                    throw BenchError("not connected")
                }
                return run(pair, interval * 50) { Int(pair.world.now.sinceStart / interval) }
            },
            Operation(name: "pairing", unit: "pairings", steps: (1, 3)) {
                let pair = PairingBenches.pairingPair()
                return run(pair, .seconds(10)) { pair.central.count }
            },
        ]
    }

    private static func notifications(_ name: String, _ size: Int, isEncrypted: Bool = false) -> Operation {
        Operation(name: name, unit: "notifications", steps: (10, 40)) {
            let pair = try ValueBenches.notifyingPair(size, isEncrypted: isEncrypted)
            return run(pair, .milliseconds(100)) { pair.central.count }
        }
    }

    private static func run(_ pair: Pair, _ span: TimeSpan, _ count: @escaping () -> Int) -> Operation.Run {
        Operation.Run {
            pair.world.run(for: span)
        } count: {
            if let failure = pair.central.failure { throw BenchError(failure) }
            return count()
        }
    }
}

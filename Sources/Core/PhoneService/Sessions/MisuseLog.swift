/// What developers should know, in order; of very much only the latest.
struct MisuseLog {
    private(set) var all: [BluetoothService.Misuse] = []
    /// Those that the service's owner has still to hear of.
    private var unreported: [BluetoothService.Misuse] = []
    private static let limit = 10_000

    mutating func add(_ misuse: BluetoothService.Misuse) {
        // A process may run for years.
        if all.count >= Self.limit { all.removeFirst(Self.limit / 2) }
        all.append(misuse)
        unreported.append(misuse)
    }

    var hasUnreported: Bool { !unreported.isEmpty }

    mutating func takeUnreported() -> [BluetoothService.Misuse] {
        defer { unreported = [] }
        return unreported
    }
}

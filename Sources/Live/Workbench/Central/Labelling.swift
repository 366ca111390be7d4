import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// Services that have been found, and the descriptors that say to people what is in them: names, and formats of values.
///
/// The caller gets the services when all of these have been read.
struct Labelling {
    /// A peer may have very many.
    private static let limit = 64

    let peer: DeviceAddress
    let database: RemoteDatabase
    let answer: WorkbenchCentral.Answer<RemoteDatabase>
    private(set) var rest: [AttributeHandle]
    /// Whether one of them is just being read.
    var isReading = false

    init(
        of peer: DeviceAddress,
        _ database: RemoteDatabase,
        _ answer: @escaping WorkbenchCentral.Answer<RemoteDatabase>
    ) {
        self.peer = peer
        self.database = database
        self.answer = answer
        let described: Set<BluetoothUUID> = [.characteristicUserDescription, .characteristicPresentationFormat]
        let descriptors = database.services.flatMap(\.characteristics).flatMap(\.descriptors)
        rest = descriptors.filter { described.contains($0.uuid) }.map(\.handle).prefix(Self.limit).reversed()
    }

    mutating func next() -> AttributeHandle? { rest.popLast() }
}

extension WorkbenchCentral {
    /// Goes on with what is still to be read. A descriptor that cannot be read is left out.
    func readDescriptions(host: Host, at now: Instant, into actions: inout HostActions) {
        var index = 0
        while index < labellings.count {
            guard !labellings[index].isReading else {
                index += 1
                continue
            }
            let peer = labellings[index].peer
            guard let link = links.firstIndex(where: { $0.peer == peer }) else {
                labellings.remove(at: index).answer(.failure(.notConnected(peer)))
                continue
            }
            guard let handle = labellings[index].next() else {
                let done = labellings.remove(at: index)
                links[link].isLabelled = true
                changeCount += 1
                done.answer(.success(done.database))
                continue
            }
            labellings[index].isReading = true
            read(handle, of: peer, host: host, at: now, into: &actions) { [unowned self] _ in
                guard let own = labellings.firstIndex(where: { $0.isReading && $0.peer == peer }) else { return }
                labellings[own].isReading = false
            }
        }
    }
}

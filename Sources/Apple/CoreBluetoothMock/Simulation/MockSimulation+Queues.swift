import Dispatch

extension CBMCentralManagerMock {
    /// Waits until what managers of the current simulation have left on dispatch queues of the app's own is done, for those
    /// who run its time. The main queue is theirs to serve.
    ///
    /// An app that stands still on its queue is not waited for longer than a second.
    package static func settleQueues() {
        guard let simulation = MockSimulation.existing else { return }
        var queues: [DispatchQueue] = []
        for manager in simulation.managers where !manager.queue.isMain {
            if !queues.contains(where: { $0 === manager.queue }) { queues.append(manager.queue) }
        }
        guard !queues.isEmpty else { return }
        let group = DispatchGroup()
        for queue in queues { queue.async(group: group) {} }
        _ = group.wait(timeout: .now() + 1)
    }
}

extension DispatchQueue {
    private static let mainMark = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main queue, for which `DispatchQueue.main` is a new object each time on Linux.
    var isMain: Bool { getSpecific(key: Self.mainMark) == true }
}

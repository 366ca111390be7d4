import Dispatch

extension CBMCentralManagerMock {
    /// Waits until what managers of the current simulation have left on dispatch queues of the app's own is done, for those
    /// who run its time. The main queue is theirs to serve.
    ///
    /// An app that stands still on its queue is not waited for longer than a second.
    package static func settleQueues() {
        guard let simulation = MockSimulation.existing else { return }
        var queues: [DispatchQueue] = []
        for manager in simulation.managers where manager.queue !== DispatchQueue.main {
            if !queues.contains(where: { $0 === manager.queue }) { queues.append(manager.queue) }
        }
        guard !queues.isEmpty else { return }
        let group = DispatchGroup()
        for queue in queues { queue.async(group: group) {} }
        _ = group.wait(timeout: .now() + 1)
    }
}

import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLiveLoop
import BluethroatLiveWorld
import BluethroatSimulation
import BluethroatVirtualTime
import Dispatch

extension LiveAir {
    /// Phones whose controllers are elsewhere end their connections, as a phone does for an app that is gone, so that
    /// the peers need not wait for their supervision timeouts. What apps order from now on has no effect, so that none
    /// connects anew, and they hear nothing of it. Returns when the peers have acknowledged it, at the latest after a
    /// second. Not for the air's own thread, where nothing can wait for that.
    func endConnections() {
        guard !live.isOnLoopThread else { return }
        let done = DispatchSemaphore(value: 0)
        live.post { machine in
            machine.isEnding = true
            machine.awaitEnds(until: machine.world.now + .seconds(1)) { done.signal() }
        }
        // The loop may be too busy to look at its clock.
        _ = done.wait(timeout: .now() + 1)
    }

    /// Cuts the ways to controllers elsewhere without a word, as the kernel does for a process that is killed.
    func cutLinks() {
        live.performAndWait { machine in for link in machine.links { link.close() } }
    }
}

extension AirMachine {
    private var phonesElsewhere: [DeviceID] {
        phones.keys.sorted().filter { world.publicAddress(of: $0) == nil }
    }

    /// Nothing that could become a connection goes on, and those that there are end; also one that was about to be made
    /// when this was called last. What is not under way is refused by the host, without effect.
    private func endConnections() {
        for device in phonesElsewhere {
            world.perform(on: device) { host, now, actions in
                try? host.stopAdvertising(at: now, into: &actions)
                try? host.stopScanning(at: now, into: &actions)
                try? host.cancelConnect(at: now, into: &actions)
                for connection in host.openConnections {
                    try? host.disconnect(connection.id, at: now, into: &actions)
                }
            }
        }
    }

    fileprivate func awaitEnds(until limit: Instant, _ done: @escaping @Sendable () -> Void) {
        endConnections()
        let isConnected = phonesElsewhere.contains { device in
            var isConnected = false
            world.perform(on: device) { host, _, _ in isConnected = !host.openConnections.isEmpty }
            return isConnected
        }
        guard isConnected, world.now < limit else { return done() }
        world.schedule(at: world.now + .milliseconds(5)) { [weak self] _ in
            guard let self else { return done() }
            awaitEnds(until: limit, done)
        }
    }
}

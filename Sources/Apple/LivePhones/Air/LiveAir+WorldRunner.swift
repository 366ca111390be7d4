import BluethroatLiveLoop
public import BluethroatSimulation

extension LiveAir: WorldRunner {
    public var isOnWorldsThread: Bool { live.isOnLoopThread }

    public func enter<Answer>(_ action: @escaping (World) -> Answer) -> Answer {
        let order = Unchecked(value: action)
        return live.performAndWait { machine in Unchecked(value: order.value(machine.world)) }.value
    }
}

/// Passes a value to the thread of an air and back, while the thread that it comes from waits.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}

private import CoreFoundation
private import Synchronization

/// Calls a body in run loops after `signal` was called, on whichever thread.
///
/// Foundation's own means are not enough here: `RunLoop.perform` does not wake the loop of another thread, and a timer
/// does not make `run(mode:before:)` return. A source does both, but is added by the thread of its run loop only, since
/// just there Foundation lets one reach what is below a `RunLoop`.
///
/// The main run loop works off the main queue. The body comes by that queue, so that it is called in programs, too, that
/// have no main run loop: those that end in `dispatchMain()`, and those whose `main` is asynchronous.
final class RunLoopSource: @unchecked Sendable {
    private struct Place: @unchecked Sendable {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
        /// What is below the run loop; nil until its thread has added the source.
        var loop: CFRunLoop?
        /// Brings the thread to do that.
        var timer: Timer?

        var isServedByMainQueue: Bool { runLoop === RunLoop.main && (mode == .default || mode == .common) }
    }

    private struct State {
        var places: [Place] = []
        /// A block is on the main queue.
        var isPosted = false

        func index(_ runLoop: RunLoop, _ mode: RunLoop.Mode) -> Int? {
            places.firstIndex { $0.runLoop === runLoop && $0.mode == mode }
        }
    }

    private final class Body: Sendable {
        let call: @Sendable () -> Void

        init(call: @escaping @Sendable () -> Void) { self.call = call }
    }

    private let source: CFRunLoopSource
    private let body: Body
    private let state = Mutex(State())

    init(_ call: @escaping @Sendable () -> Void) {
        body = Body(call: call)
        var context = CFRunLoopSourceContext()
        context.info = Unmanaged.passRetained(body).toOpaque()
        context.release = { info in info.map { Unmanaged<Body>.fromOpaque($0).release() } }
        context.perform = { info in
            guard let info else { return }
            Unmanaged<Body>.fromOpaque(info).takeUnretainedValue().call()
        }
        source = CFRunLoopSourceCreate(nil, 0, &context)
    }

    deinit { CFRunLoopSourceInvalidate(source) }

    func add(to runLoop: RunLoop, _ mode: RunLoop.Mode) {
        guard CFRunLoopSourceIsValid(source) else { return }
        var place = Place(runLoop: meant(by: runLoop), mode: mode)
        if place.runLoop === RunLoop.main {
            place.loop = CFRunLoopGetMain()
        } else if place.runLoop === RunLoop.current {
            place.loop = CFRunLoopGetCurrent()
        } else {
            place.timer = Timer(fire: Date(), interval: 0, repeats: false) { [weak self] timer in
                self?.arrive(with: timer)
            }
        }
        let new = place
        let isNew = state.withLock { state in
            guard state.index(new.runLoop, mode) == nil else { return false }
            state.places.append(new)
            return true
        }
        guard isNew else { return }
        attach(new)
        if let timer = new.timer { new.runLoop.add(timer, forMode: mode) }
    }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
        let runLoop = Unchecked(value: meant(by: runLoop))
        let place = state.withLock { state in
            state.index(runLoop.value, mode).map { state.places.remove(at: $0) }
        }
        place?.timer?.invalidate()
        if let loop = place?.loop { CFRunLoopRemoveSource(loop, source, CFRunLoopMode(mode)) }
    }

    func signal() {
        let (loops, posts) = state.withLock { state in
            let others = state.places.filter { !$0.isServedByMainQueue }
            let posts = !state.isPosted && others.count < state.places.count
            if posts { state.isPosted = true }
            return (Unchecked(value: others.compactMap(\.loop)), posts)
        }
        if posts { DispatchQueue.main.async { [weak self] in self?.comeByMainQueue() } }
        guard !loops.value.isEmpty else { return }
        CFRunLoopSourceSignal(source)
        for loop in loops.value { CFRunLoopWakeUp(loop) }
    }

    /// Removes it from all run loops.
    func invalidate() {
        let places = state.withLock { state in
            defer { state.places = [] }
            return state.places
        }
        for place in places { place.timer?.invalidate() }
        CFRunLoopSourceInvalidate(source)
    }

    private func comeByMainQueue() {
        let isWanted = state.withLock { state in
            state.isPosted = false
            return state.places.contains(where: \.isServedByMainQueue)
        }
        if isWanted { body.call() }
    }

    /// A run loop of another thread has come to it.
    private func arrive(with timer: Timer) {
        let timer = Unchecked(value: timer)
        let place = state.withLock { state -> Place? in
            guard let index = state.places.firstIndex(where: { $0.timer === timer.value }) else { return nil }
            state.places[index].timer = nil
            state.places[index].loop = CFRunLoopGetCurrent()
            return state.places[index]
        }
        guard let place else { return }
        attach(place)
        signal()
    }

    /// In the main run loop, too, where it keeps the loop going.
    private func attach(_ place: Place) {
        guard let loop = place.loop else { return }
        CFRunLoopAddSource(loop, source, CFRunLoopMode(place.mode))
        // It may have been removed meanwhile.
        if state.withLock({ $0.index(place.runLoop, place.mode) }) == nil {
            CFRunLoopRemoveSource(loop, source, CFRunLoopMode(place.mode))
        }
    }

    /// On the main queue, whichever thread serves it, the current run loop is the main one.
    private func meant(by runLoop: RunLoop) -> RunLoop {
        runLoop === RunLoop.current && DispatchQueue.getSpecific(key: mainQueueKey) != nil ? .main : runLoop
    }
}

/// By which code finds out that it runs on the main queue.
private let mainQueueKey = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Modes below Foundation. The usual ones are recognised by their address there, not by their characters.
private func CFRunLoopMode(_ mode: RunLoop.Mode) -> CFRunLoopMode {
    switch mode {
    case .default: kCFRunLoopDefaultMode
    case .common: kCFRunLoopCommonModes
    // 0x0800_0100 is UTF-8.
    default: mode.rawValue.withCString { CFStringCreateWithCString(nil, $0, 0x0800_0100) }
    }
}

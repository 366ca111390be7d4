private import CoreFoundation
private import Synchronization

/// Calls a body in run loops after `signal` was called, on whichever thread.
///
/// Foundation's own means are not enough here: `RunLoop.perform` does not wake the loop of another thread, and a timer
/// does not make `run(mode:before:)` return. A source does both, but is added by the thread of its run loop only, since
/// just there Foundation lets one reach what is below a `RunLoop`.
final class RunLoopSource: @unchecked Sendable {
    private struct Place: @unchecked Sendable {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
        /// What is below the run loop; nil until its thread has added the source.
        var loop: CFRunLoop?
        /// Brings the thread to do that.
        var timer: Timer?
    }

    private final class Body: Sendable {
        let call: @Sendable () -> Void

        init(call: @escaping @Sendable () -> Void) { self.call = call }
    }

    private let source: CFRunLoopSource
    private let places = Mutex<[Place]>([])

    init(_ call: @escaping @Sendable () -> Void) {
        var context = CFRunLoopSourceContext()
        context.info = Unmanaged.passRetained(Body(call: call)).toOpaque()
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
        var place = Place(runLoop: runLoop, mode: mode)
        if runLoop === RunLoop.current {
            place.loop = CFRunLoopGetCurrent()
        } else if runLoop === RunLoop.main {
            place.loop = CFRunLoopGetMain()
        } else {
            place.timer = Timer(fire: Date(), interval: 0, repeats: false) { [weak self] timer in
                self?.arrive(with: timer)
            }
        }
        let new = place
        let isNew = places.withLock { places in
            guard !places.contains(where: { $0.runLoop === new.runLoop && $0.mode == new.mode }) else { return false }
            places.append(new)
            return true
        }
        guard isNew else { return }
        if let loop = new.loop { CFRunLoopAddSource(loop, source, CFRunLoopMode(mode)) }
        if let timer = new.timer { runLoop.add(timer, forMode: mode) }
    }

    func remove(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
        let place = places.withLock { places in
            places.firstIndex { $0.runLoop === runLoop && $0.mode == mode }.map { places.remove(at: $0) }
        }
        place?.timer?.invalidate()
        if let loop = place?.loop { CFRunLoopRemoveSource(loop, source, CFRunLoopMode(mode)) }
    }

    func signal() {
        CFRunLoopSourceSignal(source)
        let loops = places.withLock { Unchecked(value: $0.compactMap(\.loop)) }.value
        for loop in loops { CFRunLoopWakeUp(loop) }
    }

    /// Removes it from all run loops.
    func invalidate() {
        let places = places.withLock { places in
            defer { places = [] }
            return places
        }
        for place in places { place.timer?.invalidate() }
        CFRunLoopSourceInvalidate(source)
    }

    /// A run loop of another thread has come to it.
    private func arrive(with timer: Timer) {
        let timer = Unchecked(value: timer)
        let mode = places.withLock { places -> RunLoop.Mode? in
            guard let index = places.firstIndex(where: { $0.timer === timer.value }) else { return nil }
            places[index].timer = nil
            places[index].loop = CFRunLoopGetCurrent()
            return places[index].mode
        }
        guard let mode else { return }
        CFRunLoopAddSource(CFRunLoopGetCurrent(), source, CFRunLoopMode(mode))
        signal()
    }
}

/// Modes below Foundation. The usual ones are told by their address there, not by their characters.
private func CFRunLoopMode(_ mode: RunLoop.Mode) -> CFRunLoopMode {
    switch mode {
    case .default: kCFRunLoopDefaultMode
    case .common: kCFRunLoopCommonModes
    // 0x0800_0100 is UTF-8.
    default: mode.rawValue.withCString { CFStringCreateWithCString(nil, $0, 0x0800_0100) }
    }
}

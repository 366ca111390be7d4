import BluethroatPhoneService
import CoreBluetooth
import Foundation
import Synchronization
import Testing

@Suite("Streams of L2CAP channels in run loops")
struct RunLoopTests {
    @Test("On the main run loop events come in order, between the callbacks of the main queue")
    func main() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("main-run-loop")
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            text.split(separator: "\n")
                == ["state 5", "channel", "open", "bytes [1, 2, 3]", "end"].map { "\($0) on the main thread" }
        )
        #expect(process.terminationStatus == 0)
    }

    @Test("On a private thread's run loop, in each mode; whoever schedules them", arguments: [true, false])
    func thread(schedulesThere: Bool) throws {
        for mode in [RunLoop.Mode.default, .common, RunLoop.Mode("private")] {
            let scripted = try ScriptedChannel()
            let logs = [EventLog(), EventLog()]
            let loop = Mutex<Unsafe<RunLoop>?>(nil)
            let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let begin: @Sendable (RunLoop) -> Void = { loop in
                for (stream, log) in zip([scripted.input, scripted.output] as [Stream], logs) {
                    stream.delegate = log
                    stream.schedule(in: loop, forMode: mode)
                    stream.open()
                }
            }
            Thread.detachNewThread {
                let current = RunLoop.current
                let limit = Date(timeIntervalSinceNow: 30)
                // Something else keeps the run loop going until the streams are there.
                let timer = Timer(fire: limit, interval: 0, repeats: false) { _ in }
                current.add(timer, forMode: mode)
                if schedulesThere { begin(current) }
                let reference = Unsafe(value: current)
                loop.withLock { $0 = reference }
                ready.signal()
                let running = mode == .common ? RunLoop.Mode.default : mode
                while !logs.allSatisfy(\.hasEnded), Date() < limit { _ = current.run(mode: running, before: limit) }
                timer.invalidate()
                done.signal()
            }
            try ready.meet("the run loop")
            if !schedulesThere { begin(loop.withLock { $0!.value }) }
            scripted.receive(Array(0...99))
            scripted.close(.local(.connectionTimeout))
            try done.meet("the end")
            #expect(logs[0].events.first == "open" && logs[0].events.last == "error")
            #expect(logs[0].bytes == Array(0...99))
            #expect(logs[1].events.first == "open" && logs[1].events.last == "error")
            let threads = Set((logs[0].threads + logs[1].threads).map(ObjectIdentifier.init))
            #expect(threads.count == 1 && !threads.contains(ObjectIdentifier(Thread.current)))
        }
    }

    @Test(
        "Where the main queue is served without a main run loop, streams of that come by the queue",
        arguments: [true, false]
    )
    func mainQueue(saysCurrent: Bool) throws {
        let scripted = try ScriptedChannel()
        let log = EventLog(expects: .main)
        let done = DispatchSemaphore(value: 0)
        log.onEnd { done.signal() }
        DispatchQueue.main.async {
            scripted.input.delegate = log
            scripted.input.schedule(in: saysCurrent ? .current : .main, forMode: .default)
            scripted.input.open()
            scripted.receive([1, 2])
            scripted.receive([3])
            scripted.close()
        }
        try done.meet("the end")
        #expect(log.events == ["open", "bytes", "end"] && log.bytes == [1, 2, 3])
    }

    @Test("A manager that is gone ends its streams in their run loop")
    func managerGone() throws {
        let scripted = try ScriptedChannel()
        let log = EventLog()
        let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            scripted.input.delegate = log
            scripted.input.schedule(in: .current, forMode: .default)
            scripted.input.open()
            ready.signal()
            let limit = Date(timeIntervalSinceNow: 30)
            while !log.hasEnded, RunLoop.current.run(mode: .default, before: limit), Date() < limit {}
            done.signal()
        }
        try ready.meet("the stream")
        scripted.quit()
        try done.meet("the end")
        #expect(log.events == ["open", "end"] && scripted.output.streamStatus == .notOpen)
    }

    @Test("Events of a mode come while the loop runs in it, and none after the stream was removed or closed")
    func modes() throws {
        let scripted = try ScriptedChannel()
        let log = EventLog()
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<[Bool]>([])
        Thread.detachNewThread {
            let (loop, own) = (RunLoop.current, RunLoop.Mode("own"))
            let soon = { Date(timeIntervalSinceNow: 30) }
            let input = scripted.input
            input.delegate = log
            input.schedule(in: loop, forMode: own)
            input.schedule(in: loop, forMode: .default)
            input.open()
            var results = [loop.run(mode: own, before: soon()), log.events == ["open"]]
            scripted.receive([1])
            results += [loop.run(mode: .default, before: soon()), log.events == ["open", "bytes"]]
            input.remove(from: loop, forMode: .default)
            // Nothing is left in the mode, and so it does not run at all.
            results += [!loop.run(mode: .default, before: soon())]
            scripted.receive([2])
            results += [loop.run(mode: own, before: soon()), log.bytes == [1, 2]]
            input.close()
            scripted.receive([3])
            results += [!loop.run(mode: own, before: soon()), log.bytes == [1, 2]]
            outcome.withLock { [results] in $0 = results }
            done.signal()
        }
        try done.meet("the end")
        #expect(outcome.withLock { $0 } == Array(repeating: true, count: 9))
    }

    @Test("A stream that is let go of leaves its run loop")
    func released() throws {
        let scripted = try ScriptedChannel()
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<[Bool]>([])
        Thread.detachNewThread {
            let output = scripted.output
            output.schedule(in: .current, forMode: .default)
            let before = RunLoop.current.run(mode: .default, before: Date())
            scripted.letGo()
            outcome.withLock { $0 = [before] }
            done.signal()
        }
        try done.meet("the end")
        #expect(outcome.withLock { $0 } == [true])
    }

    // MARK: Without a run loop

    @Test("A read waits for bytes, which come even while the manager's queue is blocked by it")
    func readWaits() throws {
        let scripted = try ScriptedChannel()
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = Mutex<[Int]>([])
        scripted.input.open()
        scripted.queue.async {
            var buffer = [UInt8](repeating: 0, count: 2)
            begun.signal()
            for _ in 0..<4 {
                let count = scripted.input.read(&buffer, maxLength: 2)
                outcome.withLock { $0.append(count) }
            }
            done.signal()
        }
        try begun.meet("the reader")
        scripted.receive([1, 2, 3])
        scripted.close()
        try done.meet("the end")
        #expect(outcome.withLock { $0 } == [2, 1, 0, 0])
        // The peer may send as much again as was read altogether.
        let consumed = scripted.takeOrders().map { if case .consumed(let count) = $0 { count } else { 0 } }
        #expect(consumed == [1])
    }

    @Test("A write waits for room, and takes as much as there is")
    func writeWaits() throws {
        let scripted = try ScriptedChannel(sendBuffer: 10)
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = Mutex<[Int]>([])
        scripted.output.open()
        #expect(scripted.output.write(Array(0...6), maxLength: 7) == 7)
        #expect(scripted.output.write(Array(7...13), maxLength: 7) == 3)
        #expect(!scripted.output.hasSpaceAvailable)
        Thread.detachNewThread {
            begun.signal()
            for _ in 0..<2 {
                let count = scripted.output.write(Array(10...13), maxLength: 4)
                outcome.withLock { $0.append(count) }
            }
            done.signal()
        }
        try begun.meet("the writer")
        scripted.sent(3)
        scripted.close()
        try done.meet("the end")
        let written = outcome.withLock { $0 }
        #expect(written == [3, -1] || written == [-1, -1], "the end may come before the writer")
    }

    @Test("Closing a stream releases whoever waits in it")
    func closeReleases() throws {
        let scripted = try ScriptedChannel()
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = Mutex<Int?>(nil)
        scripted.input.open()
        Thread.detachNewThread {
            var byte: UInt8 = 0
            begun.signal()
            let count = scripted.input.read(&byte, maxLength: 1)
            outcome.withLock { $0 = count }
            done.signal()
        }
        try begun.meet("the reader")
        scripted.input.close()
        try done.meet("the end")
        #expect(outcome.withLock { $0 } == -1)
    }

    @Test("Bytes that come on one thread are read on another, all and in order")
    func twoThreads() throws {
        let scripted = try ScriptedChannel()
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<[UInt8]>([])
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        scripted.input.open()
        Thread.detachNewThread {
            var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 777))
            while true {
                let count = scripted.input.read(&buffer, maxLength: buffer.count)
                guard count > 0 else { break }
                all += buffer[..<count]
            }
            outcome.withLock { [all] in $0 = all }
            done.signal()
        }
        for start in stride(from: 0, to: bytes.count, by: 500) { scripted.receive(Array(bytes[start..<start + 500])) }
        scripted.close()
        try done.meet("the end")
        #expect(outcome.withLock { $0 } == bytes)
        let consumed = scripted.takeOrders().map { if case .consumed(let count) = $0 { count } else { 0 } }
        #expect(consumed.reduce(0, +) == 400)
    }

    @Test(
        "Bytes that came before the app was told of the channel are there; after the channel is let go of, nothing is"
    )
    func earlyAndLate() throws {
        let scripted = try ScriptedChannel()
        scripted.receive([7])
        let input = scripted.input
        input.open()
        #expect(input.hasBytesAvailable)
        scripted.letGo()
        let orders = scripted.takeOrders()
        #expect(orders.count { if case .close = $0 { true } else { false } } == 1)
        var buffer = [UInt8](repeating: 0, count: 2)
        #expect(input.read(&buffer, maxLength: 2) == 1 && input.read(&buffer, maxLength: 2) == 0)
        #expect(input.streamStatus == .atEnd)
    }
}

import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// The small machines of scanning by themselves.
@Suite("What a scanner keeps")
struct ScannerTests {
    @Test("Two failures in a row double the limit, two successes halve it; one of each does neither")
    func backoffLimits() {
        var stream = SeededRandom(seed: 1, purpose: "test")
        var backoff = ScanBackoff()
        var limits: [UInt64] = []
        for _ in 0..<20 {
            backoff.note(success: false, stream: &stream)
            limits.append(backoff.upperLimit)
            #expect(1...backoff.upperLimit ~= backoff.count)
        }
        #expect(limits == [1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, 128, 128, 256, 256, 256, 256, 256])
        for index in 0..<10 {
            backoff.note(success: index % 2 == 0, stream: &stream)
            #expect(backoff.upperLimit == 256)
        }
        limits = []
        for _ in 0..<18 {
            backoff.note(success: true, stream: &stream)
            limits.append(backoff.upperLimit)
        }
        #expect(limits == [256, 128, 128, 64, 64, 32, 32, 16, 16, 8, 8, 4, 4, 2, 2, 1, 1, 1])
    }

    @Test("A request that was cut short may go out at the next opportunity")
    func cutShort() {
        var backoff = ScanBackoff()
        for _ in 0..<3 {
            let mayAsk = backoff.mayAsk()
            #expect(mayAsk)
        }
    }

    @Test("Every count from one to the limit is drawn, about equally often")
    func backoffCounts() {
        var stream = SeededRandom(seed: 2, purpose: "test")
        var backoff = ScanBackoff()
        for _ in 0..<6 { backoff.note(success: false, stream: &stream) }
        #expect(backoff.upperLimit == 8)
        var counts = [UInt64: Int]()
        for index in 0..<8_000 {
            backoff.note(success: index % 2 == 0, stream: &stream)
            counts[backoff.count, default: 0] += 1
        }
        #expect(counts.keys.sorted() == Array(1...8))
        #expect(counts.values.allSatisfy { 800...1_200 ~= $0 })
    }

    @Test("The filter keeps kinds of addresses and kinds of reports apart, and forgets when it is full")
    func duplicateFilter() {
        var filter = DuplicateFilter()
        let address = DeviceAddress(value: 1, kind: .public), twin = DeviceAddress(value: 1, kind: .random)
        for type in AdvertisingReportType.allCases {
            let admitted = [filter.admits(address, type), filter.admits(twin, type), filter.admits(address, type)]
            #expect(admitted == [true, true, false])
            #expect(filter.contains(twin, type))
        }
        for value in 2..<UInt64(DuplicateFilter.capacity) {
            _ = filter.admits(DeviceAddress(value: value, kind: .public), .connectable)
        }
        let isAdmittedAgain = filter.admits(address, .connectable)
        #expect(isAdmittedAgain)
    }

    @Test("Each window's channel and end can be told at any instant, long after the start as well")
    func schedule() {
        let start = Instant.zero + .milliseconds(3)
        let schedule = ScanSchedule(interval: 160, window: 48, start: start)
        for index in [0, 1, 2, 3, 1_000, 1_000_001] as [Int64] {
            let begin = start + .milliseconds(100) * index
            for offset in [TimeSpan.zero, .milliseconds(29), .nanoseconds(29_999_999)] {
                let state = schedule.state(at: begin + offset)
                #expect(state.channel == ChannelIndex.advertising[Int(index % 3)])
                #expect(state.change == begin + .milliseconds(30))
            }
            for offset in [TimeSpan.milliseconds(30), .nanoseconds(99_999_999)] {
                let state = schedule.state(at: begin + offset)
                #expect(state.channel == nil)
                #expect(state.change == begin + .milliseconds(100))
            }
        }
    }

    @Test("The accept list knows a device once, by value and kind")
    func acceptList() {
        var list = FilterAcceptList()
        let address = DeviceAddress(value: 1, kind: .public), twin = DeviceAddress(value: 1, kind: .random)
        list.add(.device(address))
        list.add(.device(address))
        #expect(list.count == 1 && list.contains(address) && !list.contains(twin))
        list.remove(.device(twin))
        #expect(list.count == 1)
        list.remove(.device(address))
        #expect(list.count == 0 && !list.contains(address))
    }
}

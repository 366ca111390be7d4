import BluethroatLiveLoop
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@testable import BluethroatLive
@testable import BluethroatOverflowWorld

@Suite("What the panel shows of overflow areas")
struct OverflowPartTests {
    private func world(_ change: (inout OverflowPlan) -> Void = { _ in }) -> OverflowWorld {
        var plan = OverflowPlan()
        change(&plan)
        let world = OverflowWorld(LiveSession(seed: 1, drawsSecrets: false), plan, json: true) { _ in }
        world.begin()
        return world
    }

    @Test("Each phone's bits on the air, and by name what it believes of the other")
    func beliefs() throws {
        let world = world { $0.payloads = [[1, 2, 3, 4], [0xA1, 0xB2, 0xC3, 0xD4]] }
        world.run(until: .zero + .seconds(20))
        let view = OverflowView(world)
        #expect((view.mode, view.system) == (.demo, 13))
        #expect(view.phones.map(\.name) == ["phone 1", "phone 2"])
        for (phone, other) in [(0, 1), (1, 0)] {
            let it = view.phones[phone]
            #expect(it.appState == .background && it.isScanning && it.isScreenOn && it.obstacle == nil)
            #expect((it.starts, it.frameLength) == ([0, 8], 5))
            #expect(it.onAir == it.wanted && it.onAir?.count == 32)
            let belief = try #require(it.neighbours.first)
            #expect(it.neighbours.count == 1 && it.hidden.isEmpty)
            #expect((belief.device, belief.name) == (view.phones[other].device, view.phones[other].name))
            #expect(
                belief.payload == view.phones[other].payload && belief.statuses == [.unpolluted, .unpolluted]
            )
            #expect(belief.confidence == [1, 1, 1, 1])
        }
    }

    @Test("What a dark screen hides is counted, by whom it was sent")
    func hidden() throws {
        let world = world { $0.screen = .off }
        // Within the second scan; between two of them there is another obstacle.
        world.run(until: .zero + .seconds(100))
        for phone in OverflowView(world).phones {
            #expect(phone.obstacle == "dark-screen" && !phone.isScreenOn)
            #expect(phone.neighbours.allSatisfy { $0.readings == 0 })
            let report = try #require(phone.hidden.first { $0.rule == "dark-screen" })
            #expect(report.count > 1 && report.device == 1 - phone.device)
        }
    }

    @Test("Bits that another app sets are on the air, and wanted by nobody who is shown")
    func pollution() throws {
        let world = world()
        world.run(until: .zero + .seconds(3))
        let bit = try #require(OverflowBit(index: 76))
        world.participants[0].pollute([bit])
        world.run(until: .zero + .seconds(20))
        let view = OverflowView(world)
        #expect(view.phones[0].pollution == [76])
        let onAir = try #require(OverflowMask(world.participants[0].phone.service.overflowMaskOnAir ?? [], order: .air))
        #expect(onAir.contains(bit) && view.phones[0].onAir != view.phones[0].wanted)
        #expect(view.phones[1].neighbours.first?.statuses == [.unpolluted, .polluted])
    }

    @Test("A bit behind the frame pollutes its bank if all 64 bits count, and not if those of the frame do")
    func extent() throws {
        for (extent, status) in [(BankStatuses.Extent.frame, BankStatuses.Status.unpolluted), (.whole, .polluted)] {
            for (index, bank) in [(50, 0), (60, 0), (120, 1)] {
                let bit = try #require(OverflowBit(index: index))
                let world = world {
                    $0.extent = extent
                    $0.pollution = [bit]
                }
                world.run(until: .zero + .seconds(20))
                let statuses = try #require(OverflowView(world).phones[1].neighbours.first?.statuses)
                var expected = [BankStatuses.Status.unpolluted, .unpolluted]
                expected[bank] = status
                #expect(statuses == expected, "bit \(index)")
            }
        }
    }

    @Test("Without a payload every phone sends 01020304, in each mode; numbers are drawn where that is wanted")
    func payloads() {
        for mode in [OverflowMode.demo, .hamming, .bch] {
            let world = world { $0.mode = mode }
            world.run(until: .zero + .seconds(100))
            for phone in OverflowView(world).phones {
                #expect(phone.payload == "01020304" && phone.neighbours.map(\.payload) == ["01020304"], "\(mode)")
            }
        }
        let drawn = world {
            $0.mode = .hamming
            $0.drawsPayloads = true
        }
        drawn.run(until: .zero + .seconds(100))
        let sent = OverflowView(drawn).phones.compactMap(\.payload)
        #expect(Set(sent).count == 2 && sent.allSatisfy { $0.hasPrefix("0001") })
        #expect(OverflowView(drawn).phones.map { $0.neighbours.first?.payload } == sent.reversed())
    }

    @Test("In a conversation each phone gets the message of its partner, and nobody that of a third")
    func conversation() throws {
        let world = world {
            $0.mode = .conversation
            $0.phoneCount = 3
            $0.payloads = [[1, 2, 3], [4, 5, 6, 7, 8], [9]]
        }
        world.run(until: .zero + .seconds(60))
        #expect(world.participants.map(\.received) == [[[4, 5, 6, 7, 8]], [[1, 2, 3]], []])
        #expect(world.participants.map(\.hasRead) == [true, true, false] && world.readerCount == 2)
        let phone = try #require(OverflowView(world).phones.first)
        #expect((phone.starts, phone.frameLength, phone.payload) == ([0], 16, "010203"))
        #expect(phone.appState == .background && phone.neighbours.count == 2)
    }

    @Test("A code word stands still, and where every service has its turn there is no frame")
    func modes() throws {
        let hamming = world { $0.mode = .hamming }
        hamming.run(until: .zero + .seconds(10))
        let phone = try #require(OverflowView(hamming).phones.first)
        #expect((phone.starts, phone.frameLength, phone.position) == ([8], 6, 0))
        let whole = world { $0.mode = .bch }
        whole.run(until: .zero + .seconds(10))
        let second = try #require(OverflowView(whole).phones.first)
        #expect((second.starts, second.frameLength, second.position) == ([0], 16, 0))
        let sequential = world { $0.mode = .sequential }
        sequential.run(until: .zero + .seconds(10))
        let other = try #require(OverflowView(sequential).phones.first)
        #expect(other.starts.isEmpty && other.position == nil && other.payload == nil && other.wanted != nil)
    }
}

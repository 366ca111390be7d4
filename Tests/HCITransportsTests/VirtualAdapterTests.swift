#if os(Linux)
    import Foundation
    import Synchronization
    import Testing

    @testable import BluethroatHCITransports

    /// The kernel's driver of virtual adapters: each read and each write is one packet.
    private struct Driver {
        let theirs: CInt
        private let ours: Descriptor

        init() throws {
            var ends: [CInt] = [-1, -1]
            _ = socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &ends)
            (ours, theirs) = (try Descriptor(ends[0]), ends[1])
            _ = fcntl(theirs, F_SETFL, O_NONBLOCK)
        }

        func send(_ packet: [UInt8]) { _ = Foundation.write(ours.number, packet, packet.count) }

        func hear() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 2_048)
            return Array(buffer[..<max(0, Foundation.read(ours.number, &buffer, buffer.count))])
        }

        func close() { ours.close() }
    }

    @Suite("Adapters that the kernel makes for this program", .timeLimit(.minutes(1)))
    struct VirtualAdapterTests {
        @Test("An adapter is asked for in two bytes, and its number is the answer's last two, the low one first")
        func handshake() async throws {
            let driver = try Driver()
            driver.send([0xFF, 0x00, 0x02, 0x01])
            let witness = Witness()
            let adapter = try VirtualAdapter.make(owning: driver.theirs) { adapter in
                #expect(adapter.name == "hci258")
                return witness.callbacks
            }
            #expect(driver.hear() == [0xFF, 0x00])
            #expect(adapter.index == 258)
            driver.send(Samples.reset)
            #expect(await witness.packets(1) == [Samples.reset])
            adapter.transport.send(Samples.commandComplete)
            #expect(driver.hear() == Samples.commandComplete)
            adapter.transport.close()
            #expect(await witness.end() == .closedHere)
            #expect(driver.hear() == [], "the driver's file is closed, and with that the adapter is gone")
            driver.close()
        }

        @Test("What the kernel orders before it has said the number is not lost")
        func early() async throws {
            let driver = try Driver()
            driver.send(Samples.reset)
            driver.send([0xFF, 0x00, 0x00, 0x00])
            let witness = Witness()
            let adapter = try VirtualAdapter.make(owning: driver.theirs) { _ in witness.callbacks }
            driver.send(Samples.acl(3))
            #expect(await witness.packets(2) == [Samples.reset, Samples.acl(3)])
            adapter.transport.close()
            driver.close()
        }

        @Test(
            "A file that answers otherwise makes no adapter",
            arguments: [[0xFF, 0x00, 0x00], [0xFF, 0x01, 0, 0], []]
        )
        func strange(answer: [UInt8]) throws {
            let driver = try Driver()
            if answer.isEmpty { driver.close() } else { driver.send(answer) }
            let error = #expect(throws: HCITransportError.self) {
                try VirtualAdapter.make(owning: driver.theirs) { _ in
                    Issue.record("there is an adapter")
                    return Witness().callbacks
                }
            }
            #expect(error?.description.contains("\n") == false)
        }

        @Test("Where there is no driver, or it may not be used, one line says what to do")
        func absent() {
            let error = #expect(throws: HCITransportError.self) {
                try VirtualAdapter.make(through: "/nonexistent/vhci") { _ in Witness().callbacks }
            }
            #expect(error?.description.contains("sudo modprobe hci_vhci") == true)
            #expect(VirtualAdapter.explain(EACCES, "/dev/vhci").description.contains("run with sudo"))
            #expect(VirtualAdapter.explain(EMFILE, "/dev/vhci").description.contains("make fewer"))
        }
    }
#endif

import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("GATT client: hostile servers")
struct HostileServerTests {
    var bench = ClientBench()

    private func order(_ opcode: String) -> ClientProcedure {
        switch opcode {
        case "02": .exchangeMTU(MTUExchange(maximumMTU: 517, isDone: false))
        case "04": .descriptors(DescriptorDiscovery([0x0010...0x0020]))
        case "06": .services(ServiceDiscovery(uuid: 0x1800))
        case "08": .characteristics(CharacteristicDiscovery(0x0010...0x0020, uuid: nil))
        case "08i": .includes(IncludeDiscovery(0x0010...0x0020))
        case "08u": .readByUUID(ReadingByUUID(0x2A19, in: 0x0010...0x0020))
        case "0a": .read(ValueReading(0x0005))
        case "0e": .readMultiple(ReadingMultiple([0x0001, 0x0002], withLengths: false))
        case "10": .services(ServiceDiscovery(uuid: nil))
        case "12": .write(ValueWriting(0x0005, [1]))
        case "16": .writePrepared(PreparedWriting([AttributeWrite(handle: 0x0005, value: [1])]))
        default: .readMultiple(ReadingMultiple([0x0001, 0x0002], withLengths: true))
        }
    }

    @Test(
        "A response that is cut short, too long or of a wrong length ends the procedure as malformed",
        arguments: [
            ("02", "03"), ("02", "03 17"), ("02", "03 17 00 00"), ("04", "05"), ("04", "05 01"),
            ("04", "05 03 10 00 00 28"),
            ("04", "05 01 10 00 00"), ("04", "05 02 10 00 00 28"), ("06", "07"), ("06", "07 01 00 02"),
            ("06", "07 01 00 02 00 03"), ("08", "09"), ("08", "09 00"), ("08", "09 01 10"),
            ("08", "09 07 10 00 02 11 00 00"),
            ("08", "09 02 10 00"), ("08", "09 06 10 00 02 11 00 01"), ("08", "09 08 10 00 02 11 00 01 02 03"),
            ("08", "09 14 10 00 02 11 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e"), ("08i", "09 05 10 00 01 00 02"),
            ("08i", "09 07 10 00 01 00 02 00 03"), ("08i", "09 09 10 00 01 00 02 00 03 04 05"), ("10", "11"),
            ("10", "11 00"), ("10", "11 03 01 00 01"), ("10", "11 04 01 00 02 00"), ("10", "11 05 01 00 02 00 03"),
            ("10", "11 07 01 00 02 00 03 04 05"), ("10", "11 06 01 00 02 00 03"), ("12", "13 00"), ("16", "17"),
            ("16", "17 05 00 00"), ("20", "21 01"), ("20", "21 05"),
            ("0a", "0b" + String(repeating: " 00", count: 23)), ("0e", "0f" + String(repeating: " 00", count: 23)),
        ]
    )
    mutating func malformed(request: String, response: String) throws {
        _ = try bench.order(order(request))
        #expect(bench.answer(response) == "")
        let opcode = ATTOpcode(rawValue: ([UInt8](hex: response) ?? [0])[0])
        #expect(try bench.result() == .failed(.malformedResponse(opcode)))
        // The bearer is as good as before.
        _ = try bench.order(.read(ValueReading(0x0005)))
        _ = bench.answer("0b 01")
        #expect(try bench.result() == .value([1]))
    }

    @Test("An error response is a refusal with every code; 0x00, which apps know as success, is an unlikely error")
    mutating func errorCodes() throws {
        for request in ["0a", "12"] {
            for code in UInt8.min...UInt8.max {
                _ = try bench.order(order(request))
                _ = bench.answer("01 \(request) 05 00 " + [code].hex)
                guard case .failed(.refused(let error, _, _)) = try bench.result() else {
                    Issue.record("not refused with \(code)")
                    continue
                }
                #expect(error == (code == 0 ? .unlikelyError : ATTError(rawValue: code)))
            }
        }
    }

    @Test(
        "Handles that do not rise, lie outside the range or make no range end the procedure",
        arguments: [
            ("04", "05 01 0f 00 00 28"), ("04", "05 01 21 00 00 28"), ("04", "05 01 00 00 00 28"),
            ("04", "05 01 10 00 00 28 10 00 01 28"), ("04", "05 01 11 00 00 28 10 00 01 28"), ("06", "07 00 00 05 00"),
            ("06", "07 05 00 04 00"), ("06", "07 05 00 09 00 09 00 0a 00"), ("06", "07 05 00 00 00"),
            ("08", "09 07 0f 00 02 11 00 00 2a"), ("08", "09 07 20 00 02 21 00 00 2a"),
            ("08", "09 07 10 00 02 10 00 00 2a"),
            ("08", "09 07 10 00 02 0f 00 00 2a"), ("08", "09 07 10 00 02 00 00 00 2a"),
            ("08", "09 07 10 00 02 ff ff 00 2a"),
            ("08", "09 07 10 00 02 12 00 00 2a 12 00 02 13 00 00 2a"), ("08i", "09 08 10 00 00 00 02 00 00 18"),
            ("08i", "09 08 10 00 03 00 02 00 00 18"), ("08i", "09 08 09 00 01 00 02 00 00 18"),
            ("08u", "09 03 21 00 00"),
            ("08u", "09 03 11 00 00 11 00 00"), ("10", "11 06 05 00 04 00 00 18"), ("10", "11 06 00 00 04 00 00 18"),
            ("10", "11 06 01 00 04 00 00 18 04 00 06 00 01 18"),
        ]
    )
    mutating func contradictory(request: String, response: String) throws {
        _ = try bench.order(order(request))
        #expect(bench.answer(response) == "")
        let opcode = ATTOpcode(rawValue: ([UInt8](hex: response) ?? [0])[0])
        #expect(try bench.result() == .failed(.contradictoryResponse(opcode)))
    }

    @Test("A server that gives the same answer for ever is left at the second")
    mutating func loops() throws {
        for (request, response) in [
            ("10", "11 06 01 00 04 00 00 18"), ("06", "07 01 00 04 00"), ("08", "09 07 10 00 02 11 00 00 2a"),
            ("04", "05 01 10 00 02 29"), ("08u", "09 03 10 00 01"), ("08i", "09 08 10 00 01 00 02 00 00 18"),
        ] {
            _ = try bench.order(order(request))
            #expect(bench.answer(response) != "")
            #expect(bench.answer(response) == "")
            guard case .failed(.contradictoryResponse) = try bench.result() else {
                Issue.record("\(request) goes on")
                return
            }
        }
    }

    @Test("A server that has a service at every handle comes to an end after the last")
    mutating func endless() throws {
        _ = try bench.order(.services(ServiceDiscovery(uuid: nil)))
        var handle = 1
        var requests = 0
        while bench.layer.bearers[0].client.running != nil {
            let raw = [UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)].hex(separator: " ")
            _ = bench.answer("11 06 \(raw) \(raw) 00 18")
            handle += 1
            requests += 1
            if requests > 70_000 { break }
        }
        #expect(requests == 65_535)
        guard case .services(let services) = try bench.result() else {
            Issue.record("no services")
            return
        }
        #expect(services.count == 65_535)
    }

    @Test("Tens of thousands of services and includes are put in order without much ado")
    mutating func crowded() throws {
        bench = ClientBench(maximumMTU: 517)
        _ = bench.answer("02 05 02")
        _ = try bench.order(.everything(FullDiscovery()))
        func bytes(_ number: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        // Services at the even handles, includes of services at the odd ones.
        for first in stride(from: 2, through: 0xFFF0, by: 160) {
            let entries = stride(from: first, to: min(first + 160, 0xFFF0), by: 2)
            _ = bench.answer("11 06 " + entries.map { bytes($0) + bytes($0) + [0, 0x18] }.joined().map { $0 }.hex)
        }
        _ = bench.answer("01 10 00 00 0a")
        for first in stride(from: 1, through: 0xFFEF, by: 100) {
            let entries = stride(from: first, to: min(first + 100, 0xFFEF), by: 2)
            _ = bench.answer(
                "09 08 " + entries.map { bytes($0) + bytes($0) + bytes($0) + [0, 0x19] }.joined().map { $0 }.hex
            )
        }
        _ = bench.answer("01 08 00 00 0a")
        _ = bench.answer("01 08 00 00 0a")
        guard case .database(let database) = try bench.result() else {
            Issue.record("no database")
            return
        }
        #expect(database.services.count == 65_518)
        #expect(database.services.map(\.handles.lowerBound) == database.services.map(\.handles.lowerBound).sorted())
    }

    @Test("A value without end is given up when it is longer than values can be")
    mutating func endlessValue() throws {
        _ = try bench.order(.read(ValueReading(0x0005)))
        var answers = 0
        _ = bench.answer("0b" + String(repeating: " 00", count: 22))
        while bench.layer.bearers[0].client.running != nil, answers < 1_000 {
            _ = bench.answer("0d" + String(repeating: " 00", count: 22))
            answers += 1
        }
        #expect(answers == 23)
        #expect(try bench.result() == .failed(.tooLong))
    }

    @Test("Answers to other questions are told of, and the right one is still waited for")
    mutating func wrongAnswers() throws {
        _ = try bench.order(.read(ValueReading(0x0005)))
        for hex in ["13", "0d 01", "01 0c 05 00 01", "01", "01 0a 05", "01 0a 05 00 01 00", "03 17 00", "1e"] {
            #expect(bench.answer(hex) == "")
            let events = bench.takeEvents()
            guard events.count == 1, case .client(.unexpectedPDU) = events[0] else {
                Issue.record("\(hex): \(events)")
                continue
            }
        }
        _ = bench.answer("0b 01")
        #expect(try bench.result() == .value([1]))
    }

    @Test("An included service that overlaps others is not taken for a service of its own")
    mutating func overlappingInclude() throws {
        _ = try bench.order(.everything(FullDiscovery()))
        _ = bench.answer("11 06 01 00 10 00 00 18")
        _ = bench.answer("01 10 11 00 0a")
        _ = bench.answer("09 08 02 00 05 00 20 00 34 12")
        _ = bench.answer("01 08 03 00 0a")
        _ = bench.answer("01 08 01 00 0a")
        guard case .database(let database) = try bench.result() else {
            Issue.record("no database")
            return
        }
        #expect(database.services.map(\.uuid) == [0x1800])
    }

    @Test("A characteristic whose value stands in another service is left out")
    mutating func valueElsewhere() throws {
        _ = try bench.order(.everything(FullDiscovery()))
        _ = bench.answer("11 06 01 00 04 00 00 18 05 00 08 00 01 18")
        _ = bench.answer("01 10 09 00 0a")
        _ = bench.answer("01 08 01 00 0a")
        _ = bench.answer("09 07 02 00 02 07 00 00 2a")
        _ = bench.answer("01 08 03 00 0a")
        guard case .database(let database) = try bench.result() else {
            Issue.record("no database")
            return
        }
        #expect(database.services.flatMap(\.characteristics).isEmpty)
    }
}

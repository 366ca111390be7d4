import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHost
import BluethroatVirtualTime
import Testing

@testable import BluethroatCentral

/// Collects what a reporter writes.
private final class Paper {
    var lines: [String] = []
    var complaints: [String] = []

    func reporter(json: Bool) -> CentralEventWriter {
        CentralEventWriter(
            json: json,
            write: { self.lines.append($0) },
            hint: { _ in },
            complain: { self.complaints.append($0) }
        )
    }
}

private let fob = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
private let soon = Instant.zero + .milliseconds(131)

/// What a cache makes of these reports.
private func device(_ reports: (AdvertisingReport.Kind, [UInt8])...) -> DiscoveryCache.Entry {
    var cache = DiscoveryCache()
    for (kind, data) in reports {
        let strength = SignalStrength(dBm: -47)
        _ = cache.absorb(AdvertisingReport(kind: kind, address: fob, data: data, signalStrength: strength), at: soon)
    }
    return cache.entries[0]
}

private let advertisement: [UInt8] = [2, 1, 5, 7, 2, 3, 0x18, 2, 0x18, 4, 0x18]
private let response: [UInt8] = [0x0B, 9] + Array("Keyfobdemo".utf8)

@Suite("What a central prints")
struct CentralEventWriterTests {
    @Test("A report says all that is known, and only that")
    func report() {
        let full = CentralEvent.report(device((.connectable, advertisement), (.scanResponse, response))).json(at: soon)
        #expect(
            full == #"{"event":"report","time":0.131,"address":"78:C5:E5:9B:76:0D","addressType":"public","#
                + #""connectable":true,"scannable":true,"rssi":-47,"data":"0201050702031802180418","#
                + #""scanResponse":"0b094b6579666f6264656d6f","name":"Keyfobdemo","flags":5,"#
                + #""services":["1803","1802","1804"]}"#
        )
        let maker = CentralEvent.report(device((.nonConnectable, [6, 0xFF, 0x4C, 0, 1, 2, 3, 2, 0x0A, 0xFA])))
        #expect(
            maker.json(at: soon) == #"{"event":"report","time":0.131,"address":"78:C5:E5:9B:76:0D","#
                + #""addressType":"public","connectable":false,"scannable":false,"rssi":-47,"#
                + #""data":"06ff4c00010203020afa","txPower":-6,"manufacturer":76,"manufacturerData":"010203","#
                + #""messages":[{"kind":"Overflow area","malformed":true,"data":"0203"}]}"#
        )
    }

    @Test("A connection and its end")
    func connection() throws {
        let parameters = try #require(ConnectionParameters(intervalSteps: 24, latencyEvents: 0, timeoutSteps: 72))
        let description = ConnectionDescription(
            id: ConnectionID(handle: ConnectionHandle(rawValue: 0x40)!, generation: 1),
            role: .central,
            peer: fob,
            parameters: parameters
        )
        #expect(
            CentralEvent.connected(description).json(at: soon)
                == #"{"event":"connected","time":0.131,"peer":"78:C5:E5:9B:76:0D","addressType":"public","#
                + #""interval":0.03,"latency":0,"supervisionTimeout":0.72}"#
        )
        #expect(
            CentralEvent.disconnected(fob, reason: .connectionTimeout).json(at: soon)
                == #"{"event":"disconnected","time":0.131,"peer":"78:C5:E5:9B:76:0D","addressType":"public","#
                + #""reason":"connectionTimeout","code":8}"#
        )
    }

    private let characteristic = RemoteCharacteristic(
        uuid: 0xFFE1,
        properties: [.notify],
        handle: 0x0046,
        valueHandle: 0x0047,
        endHandle: 0x0049
    )

    @Test("A table in handle order, with values where they can be read")
    func table() {
        let service = RemoteService(uuid: 0xFFE0, handles: 0x0045...0x0049)
        #expect(
            CentralEvent.service(service).json(at: .zero)
                == #"{"event":"service","time":0.0,"handle":69,"end":73,"uuid":"FFE0","name":"Simple Keys","primary":true}"#
        )
        #expect(
            CentralEvent.characteristic(characteristic, nil).json(at: .zero)
                == #"{"event":"characteristic","time":0.0,"handle":70,"valueHandle":71,"uuid":"FFE1","#
                + #""name":"Key Press State","properties":["notify"]}"#
        )
        let refused = CentralEvent.descriptor(
            RemoteDescriptor(handle: 0x0049, uuid: 0x1234),
            .refused(.readNotPermitted)
        )
        #expect(
            refused.json(at: .zero) == #"{"event":"descriptor","time":0.0,"handle":73,"uuid":"1234","attError":2,"#
                + #""message":"read not permitted (0x02)"}"#
        )
        #expect(
            refused.text == "       0x0049      1234" + String(repeating: " ", count: 58)
                + "(read not permitted (0x02))"
        )
    }

    @Test("Values, with their type only where it is known")
    func values() {
        let key = ResolvedAttribute(handle: 0x0047, uuid: 0xFFE1, characteristic: characteristic)
        #expect(
            CentralEvent.notified(key, [1], isIndication: false).json(at: soon)
                == #"{"event":"notification","time":0.131,"handle":71,"uuid":"FFE1","name":"Key Press State","value":"01","decoded":"left"}"#
        )
        #expect(CentralEvent.notified(key, [1], isIndication: true).json(at: soon).hasPrefix(#"{"event":"indication""#))
        #expect(
            CentralEvent.subscribed(key, isIndication: false).json(at: soon)
                == #"{"event":"subscribed","time":0.131,"handle":71,"uuid":"FFE1","name":"Key Press State","kind":"notification"}"#
        )
        let bare = ResolvedAttribute(handle: 0x0003)
        #expect(
            CentralEvent.written(bare, [2, 0xAB], response: false).json(at: soon)
                == #"{"event":"written","time":0.131,"handle":3,"value":"02ab","response":false}"#
        )
        #expect(CentralEvent.value(bare, [2, 0xAB]).text == "02 ab")
        #expect(CentralEvent.value(key, [3]).text == "both")
    }

    @Test("A failure is one line for people and the last object for programs")
    func failure() {
        let failure = OperationFailure.refused(.readNotPermitted, by: "78:C5:E5:9B:76:0D", "read 0x003A")
        for json in [true, false] {
            let paper = Paper()
            paper.reporter(json: json).fail(failure, at: soon)
            #expect(paper.complaints == ["78:C5:E5:9B:76:0D refused to read 0x003A: read not permitted (0x02)"])
            let object =
                #"{"event":"error","time":0.131,"message":"78:C5:E5:9B:76:0D refused to read 0x003A: "#
                + #"read not permitted (0x02)","attError":2}"#
            #expect(paper.lines == (json ? [object] : []))
        }
    }

    @Test("People see each device once, with its name if it has one; programs see each change")
    func list() {
        let steps = [
            device((.connectable, advertisement)), device((.connectable, advertisement), (.scanResponse, response)),
            device((.connectable, advertisement + [0]), (.scanResponse, response)),
        ]
        let people = Paper()
        let list = people.reporter(json: false)
        list.list = DeviceList(expectsResponses: true)
        for step in steps { list.write(.report(step), at: soon) }
        list.endList()
        #expect(people.lines.count == 1)
        #expect(people.lines[0].hasPrefix("78:C5:E5:9B:76:0D public -47 dBm  Keyfobdemo  ["))
        let programs = Paper()
        let objects = programs.reporter(json: true)
        for step in steps { objects.write(.report(step), at: soon) }
        #expect(programs.lines.count == 3)
    }

    @Test("A device that never answers is listed in the end")
    func silent() {
        let paper = Paper()
        let reporter = paper.reporter(json: false)
        reporter.list = DeviceList(expectsResponses: true)
        reporter.write(.report(device((.connectable, advertisement))), at: soon)
        #expect(paper.lines.isEmpty)
        reporter.endList()
        #expect(paper.lines.count == 1)
    }

    @Test("A passive scan waits for no answer")
    func passive() {
        var list = DeviceList(expectsResponses: false)
        #expect(list.add(device((.connectable, advertisement))) != nil)
    }

    @Test("Whoever changes its address without end is listed each time, and keeps nobody else from being listed once")
    func flood() {
        var list = DeviceList(expectsResponses: true, limit: 16)
        var lines: [String] = []
        for number in 0..<200 {
            let stranger = DeviceAddress(value: UInt64(number), kind: .random)
            var cache = DiscoveryCache()
            let report = AdvertisingReport(
                kind: .connectable,
                address: stranger,
                data: advertisement,
                signalStrength: nil
            )
            if let line = list.add(cache.absorb(report, at: soon).entry) { lines.append(line) }
            if let line = list.add(device((.connectable, advertisement), (.scanResponse, response))) {
                lines.append(line)
            }
        }
        lines += list.rest()
        #expect(lines.count == 201 && lines.count { $0.contains("Keyfobdemo") } == 1)
    }
}

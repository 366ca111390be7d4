import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("Standard output of a key fob")
struct KeyFobOutputTests {
    private let address = DeviceAddress("78:C5:E5:9B:76:0D", kind: .public)!

    private func output(_ mode: KeyFobOutput.Mode) -> KeyFobOutput {
        KeyFobOutput(mode, radio: .air(listeningOn: "tcp:127.0.0.1:6402"), distance: 1)
    }

    private func notice(_ change: KeyFobNotice.Change) -> FobNotice {
        FobNotice(time: Instant(nanoseconds: 500_000_000), change: .fob(change))
    }

    @Test("As JSON: two objects, then one for each change, and an error in both places")
    func json() {
        var output = output(.json)
        #expect(
            output.begin(address: address)
                == .init(
                    output: """
                        {"event":"fob","address":"78:C5:E5:9B:76:0D","addressType":"public"}
                        {"event":"listening","hci":"tcp:127.0.0.1:6402"}

                        """
                )
        )
        #expect(
            output.changed([notice(.advertising(true)), notice(.led(.led2, on: true))])
                == .init(
                    output: """
                        {"event":"advertising","time":0.5,"on":true}
                        {"event":"led","time":0.5,"name":"LED2","on":true}

                        """
                )
        )
        #expect(output.changed([]) == .init())
        #expect(
            output.failed("no such word", at: Instant(nanoseconds: 1_000_000_000))
                == .init(
                    output: #"{"event":"error","time":1.0,"message":"no such word"}"# + "\n",
                    error: "no such word\n"
                )
        )
        let failure = output.changed([notice(.radioFailed(.lowEnergyMissing))])
        #expect(failure.output.hasPrefix(#"{"event":"error""#))
        #expect(failure.error == "the controller has no Low Energy radio\n")
        #expect(output.obeyed(.click(.left), chip: .cma3000) == .init())
        #expect(output.end() == .init())
    }

    @Test("As JSON, the end of an alert and of a beep say which")
    func jsonEndings() {
        var output = output(.json)
        _ = output.begin(address: address)
        let ended = output.changed([
            notice(.alert(.mild, .linkLoss)), notice(.tone(hertz: 250)), notice(.alert(.none, nil)),
            notice(.tone(hertz: nil)),
        ])
        #expect(
            ended.output.hasSuffix(
                """
                {"event":"alert","time":0.5,"level":"none","source":"linkLoss"}
                {"event":"beep","time":0.5,"on":false,"hertz":250}

                """
            )
        )
    }

    @Test("A path that would move a terminal's cursor does not")
    func unprintablePath() {
        #expect(
            "\(KeyFobOutput.Radio.air(listeningOn: "pty:/tmp/\u{1B}[31m"))" == "HCI listening on pty:/tmp/\u{FFFD}[31m"
        )
    }

    @Test("As lines: the address, where hosts attach, then a line for each change")
    func plain() {
        var output = output(.plain)
        #expect(
            output.begin(address: address).output == "Key fob 78:C5:E5:9B:76:0D\nHCI listening on tcp:127.0.0.1:6402\n"
        )
        #expect(output.changed([notice(.battery(percent: 80))]).output == "   0.500 s  battery: 80 %\n")
        #expect(output.failed("no such word", at: .zero) == .init(error: "no such word\n"))
        #expect(output.end() == .init())
    }

    @Test("On somebody else's controller nothing listens")
    func controller() {
        for (mode, expected) in [
            (KeyFobOutput.Mode.plain, "Key fob 78:C5:E5:9B:76:0D\nController pty:/dev/pts/3\n"),
            (
                .json,
                """
                {"event":"fob","address":"78:C5:E5:9B:76:0D","addressType":"public"}
                {"event":"controller","hci":"pty:/dev/pts/3"}

                """
            ),
        ] {
            var output = KeyFobOutput(mode, radio: .controller("pty:/dev/pts/3"), distance: nil)
            #expect(output.begin(address: address).output == expected)
        }
    }

    @Test("What changes before the address is known comes right behind it")
    func early() {
        for mode in [KeyFobOutput.Mode.json, .plain, .terminal(width: 100)] {
            var output = KeyFobOutput(mode, radio: .controller("tcp:127.0.0.1:9000"), distance: nil)
            #expect(output.changed([notice(.led(.led1, on: true)), notice(.radioFailed(.noDataBuffers))]) == .init())
            let text = output.begin(address: address)
            switch mode {
            case .json: #expect(text.output.split(separator: "\n").count == 4)
            case .plain: #expect(text.output.hasSuffix("LED1 on\n   0.500 s  radio: \(HostFailure.noDataBuffers)\n"))
            case .terminal: #expect(text.output.contains("LED1 \u{1B}[33m●"))
            }
            #expect(output.changed([]) == .init())
        }
    }

    @Test("At a terminal: a picture with the same two things, each once, that keeps up")
    func terminal() {
        var output = output(.terminal(width: 100))
        let begin = output.begin(address: address).output
        #expect(begin.ranges(of: "Key fob 78:C5:E5:9B:76:0D").count == 1)
        #expect(begin.ranges(of: "HCI listening on tcp:127.0.0.1:6402").count == 1)
        #expect(begin.contains("LED1 ○"))
        #expect(output.changed([notice(.led(.led1, on: true))]).output.contains("●"))
        #expect(output.changed([]) == .init())
        #expect(output.failed("no such word", at: .zero).output.contains("no such word"))
        #expect(output.obeyed(.distance(metres: 7.5), chip: .cma3000).output.contains("distance 7.5 m"))
        let tilted = output.obeyed(.tiltInG(x: 0, y: 0, z: 1), chip: .bma250).output
        #expect(tilted.contains("z 64") && !tilted.contains("no such word"))
        #expect(output.resized(width: 60).output.contains("LED1"))
        #expect(output.end().output == "\u{1B}[?25h")
    }
}

import Testing

@testable import BluethroatHCITransports

@Suite("Ways to a controller, as text")
struct HCIEndpointTests {
    @Test(
        "Each kind is read, and written back in the same form",
        arguments: [
            ("tcp:127.0.0.1:6402", HCIEndpoint.tcp(HostPort(host: "127.0.0.1", port: 6402))),
            ("tcp:fob.local:9000", .tcp(HostPort(host: "fob.local", port: 9000))),
            ("tcp:[::1]:6402", .tcp(HostPort(host: "::1", port: 6402))),
            ("unix:/tmp/a:b,c", .unix(path: "/tmp/a:b,c")),
            ("pty:/tmp/controller", .pty(path: "/tmp/controller")),
            ("serial:/dev/ttyUSB0", .serial(device: "/dev/ttyUSB0", baud: 115_200)),
            ("serial:/dev/ttyACM0,1000000", .serial(device: "/dev/ttyACM0", baud: 1_000_000)),
            ("user-channel:hci0", .userChannel(index: 0)),
            ("user-channel:hci12", .userChannel(index: 12)),
        ]
    )
    func roundTrip(text: String, endpoint: HCIEndpoint) throws {
        #expect(try HCIEndpoint(parsing: text) == endpoint)
        #expect(endpoint.description == text)
    }

    @Test("A host and a port alone mean TCP; the usual speed may be named")
    func shortForms() throws {
        #expect(try HCIEndpoint(parsing: "localhost:6402") == .tcp(HostPort(host: "localhost", port: 6402)))
        #expect(try HCIEndpoint(parsing: "tcp::6402") == .tcp(HostPort(host: "127.0.0.1", port: 6402)))
        #expect(try HCIEndpoint(parsing: "[::1]:6402") == .tcp(HostPort(host: "::1", port: 6402)))
        #expect(try HCIEndpoint(parsing: "serial:/dev/x,115200") == .serial(device: "/dev/x", baud: 115_200))
        #expect(try HCIEndpoint(parsing: "user-channel:1") == .userChannel(index: 1))
    }

    @Test(
        "What names no place is refused in one line that says what to write",
        arguments: [
            ("", "tcp:HOST:PORT"), ("fob", "tcp:HOST:PORT"), ("usb:0", "tcp:HOST:PORT"), ("tcp:", "no port"),
            ("tcp:localhost", "no port"), ("tcp:localhost:", "nothing is no TCP port"),
            ("tcp:localhost:70000", "70000 is no TCP port"), ("tcp:localhost:-1", "-1 is no TCP port"),
            ("tcp:localhost:0", "port 0"), ("tcp:::1:6402", "[::1]:6402"),
            ("unix:", "needs a path"), ("pty:", "needs a path"), ("serial:", "needs a path"),
            ("serial:,9600", "needs a path"), ("serial:/dev/x,300", "9600, 19200"), ("serial:/dev/x,", "9600"),
            ("user-channel:", "user-channel:hci0"), ("user-channel:hci", "user-channel:hci0"),
            ("user-channel:hci65535", "user-channel:hci0"), ("user-channel:usb0", "user-channel:hci0"),
        ]
    )
    func refusals(text: String, hint: String) {
        let error = #expect(throws: HCIEndpointError.self) { try HCIEndpoint(parsing: text) }
        let message = error?.description ?? ""
        #expect(message.contains(hint), "\(message)")
        #expect(!message.contains("\n"))
    }

    @Test("A listener may ask for any free port")
    func portZero() throws {
        #expect(try HostPort(parsing: "127.0.0.1:0") == HostPort(host: "127.0.0.1", port: 0))
        #expect(try HostPort(parsing: ":0") == HostPort(host: "127.0.0.1", port: 0))
        #expect(HostPort(host: "::", port: 0).description == "[::]:0")
    }
}

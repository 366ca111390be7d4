import Foundation

/// An adapter of the Linux kernel whose controller is this program: the kernel's driver for virtual adapters
/// (`drivers/bluetooth/hci_vhci.c`), which is used through a device file. The adapter is there as long as the link is open.
public struct VirtualAdapter: Sendable {
    /// The kernel's number for it: 0 is `hci0`.
    public let index: UInt16
    /// To and from the kernel, which is the host.
    public let transport: any HCITransport

    /// As tools write it: `hci0`.
    public var name: String { "hci\(index)" }

    /// The driver's file.
    public static let device = "/dev/vhci"

    #if os(Linux)
        /// Makes an adapter. The kernel has commands for it at once.
        ///
        /// - Parameter accept: gets the adapter before anything of the kernel is received, and returns its callbacks.
        public static func make(
            through device: String = device,
            accept: (VirtualAdapter) -> HCITransportCallbacks
        ) throws(HCITransportError) -> VirtualAdapter {
            let descriptor = openDescriptor(device, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw explain(errno, device) }
            return try make(owning: descriptor, accept: accept)
        }

        /// The same over a descriptor of the driver, each of whose reads and writes is one packet.
        static func make(
            owning descriptor: CInt,
            accept: (VirtualAdapter) -> HCITransportCallbacks
        ) throws(HCITransportError) -> VirtualAdapter {
            let (index, packets): (UInt16, [[UInt8]])
            do throws(HCITransportError) {
                (index, packets) = try request(descriptor)
            } catch {
                _ = closeDescriptor(descriptor)
                throw error
            }
            let transport = try DescriptorTransport(owning: descriptor, peer: "hci\(index)", peerRole: .host)
            let adapter = VirtualAdapter(index: index, transport: transport)
            transport.start(with: packets, accept(adapter))
            return adapter
        }

        /// A packet between the driver and its user rather than between host and controller.
        private static let vendorPacket: UInt8 = 0xFF
        /// A primary controller, set up by the kernel itself.
        private static let primary: UInt8 = 0x00
        /// How long the driver may take to answer, in milliseconds.
        private static let patience: CInt = 5_000

        /// Asks for an adapter. What the kernel has sent before the answer is returned with it: some releases put the
        /// answer behind the adapter's first command.
        private static func request(_ descriptor: CInt) throws(HCITransportError) -> (UInt16, [[UInt8]]) {
            let order = [vendorPacket, primary]
            guard writeBytes(descriptor, order, order.count) == order.count else {
                throw HCITransportError("the kernel makes no adapter: \(SystemText.of(errno: errno))")
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var packets: [[UInt8]] = []
            while packets.count < 16 {
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let ready = poll(&polled, 1, patience)
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { break }
                let count = readBytes(descriptor, &buffer, buffer.count)
                if count < 0, errno == EAGAIN || errno == EINTR { continue }
                guard count > 0 else { break }
                let packet = Array(buffer[..<count])
                guard packet[0] == vendorPacket else {
                    packets.append(packet)
                    continue
                }
                guard packet.count == 4, packet[1] == primary else { break }
                return (UInt16(packet[2]) | UInt16(packet[3]) << 8, packets)
            }
            throw HCITransportError("the kernel does not say which adapter it has made; is \(device) its vhci driver?")
        }

        static func explain(_ code: CInt, _ device: String) -> HCITransportError {
            switch code {
            case ENOENT, ENODEV, ENXIO:
                HCITransportError(
                    "this kernel offers no virtual adapters (\(device)); load the driver with `sudo modprobe hci_vhci`, or "
                        + "give hosts a pseudo-terminal (--pty) or a socket (--unix)"
                )
            case EACCES, EPERM:
                HCITransportError(
                    "no permission to open \(device); run with sudo, or let your user open it: "
                        + "`sudo setfacl -m u:$USER:rw \(device)`"
                )
            case EMFILE, ENFILE: HCITransportError("no descriptor is left for another adapter; make fewer")
            default: HCITransportError("cannot open \(device): \(SystemText.of(errno: code))")
            }
        }
    #else
        public static func make(
            through device: String = device,
            accept: (VirtualAdapter) -> HCITransportCallbacks
        ) throws(HCITransportError) -> VirtualAdapter {
            throw HCITransportError("virtual adapters exist on Linux only; give hosts a TCP port or a socket")
        }
    #endif
}

import Foundation

/// Takes a Linux Bluetooth adapter away from the kernel's own host: an HCI socket bound to the user channel.
/// The adapter must be down, and the process must have CAP_NET_ADMIN.
enum UserChannel {
    #if os(Linux)
        /// `struct sockaddr_hci` of the kernel.
        private struct Address {
            var family: UInt16
            var device: UInt16
            var channel: UInt16
        }

        private static let bluetoothFamily: CInt = 31
        private static let hciProtocol: CInt = 1
        private static let userChannel: UInt16 = 1

        /// A descriptor that does not block and reads and writes one H4 packet at a time.
        static func open(_ index: UInt16) throws(HCITransportError) -> CInt {
            let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(bluetoothFamily, kind, hciProtocol)
            guard descriptor >= 0 else { throw explain(errno, index) }
            var address = Address(family: UInt16(bluetoothFamily), device: index, channel: userChannel)
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
            guard bound == 0 else {
                let error = explain(errno, index)
                _ = closeDescriptor(descriptor)
                throw error
            }
            return descriptor
        }

        static func explain(_ code: CInt, _ index: UInt16) -> HCITransportError {
            switch code {
            case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT:
                HCITransportError(
                    "this kernel has no Bluetooth and so no hci\(index); load the bluetooth module or give another controller"
                )
            case EPERM, EACCES:
                HCITransportError("user-channel:hci\(index) needs the capability CAP_NET_ADMIN; run with sudo")
            case ENODEV: HCITransportError("there is no adapter hci\(index); `hciconfig` lists those that exist")
            case EBUSY:
                HCITransportError("hci\(index) is up or in use; take it down with `sudo hciconfig hci\(index) down`")
            default: HCITransportError("cannot take over hci\(index): \(SystemText.of(errno: code))")
            }
        }
    #else
        static func open(_ index: UInt16) throws(HCITransportError) -> CInt {
            throw HCITransportError("user-channel exists on Linux only; give another controller")
        }
    #endif
}

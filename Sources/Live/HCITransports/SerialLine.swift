import Foundation

/// Opens terminal lines the way H4 wants them: raw, eight bits, no parity, hardware flow control where the line has it
/// (Core 6.0, Vol 4, Part A, 2 and 3).
enum SerialLine {
    /// The speeds that can be asked for, in bits per second, with the system's code for each.
    static let speeds: [(baud: Int, code: speed_t)] = {
        var speeds: [(Int, speed_t)] = [
            (9_600, speed_t(B9600)), (19_200, speed_t(B19200)), (38_400, speed_t(B38400)),
            (57_600, speed_t(B57600)), (115_200, speed_t(B115200)), (230_400, speed_t(B230400)),
        ]
        #if os(Linux)
            speeds += [
                (460_800, speed_t(B460800)), (500_000, speed_t(B500000)), (576_000, speed_t(B576000)),
                (921_600, speed_t(B921600)), (1_000_000, speed_t(B1000000)), (1_500_000, speed_t(B1500000)),
                (2_000_000, speed_t(B2000000)), (3_000_000, speed_t(B3000000)), (4_000_000, speed_t(B4000000)),
            ]
        #endif
        return speeds
    }()

    /// A descriptor that does not block. A pseudo-terminal takes speed and flow control without having either.
    static func open(_ device: String, baud: Int) throws(HCITransportError) -> CInt {
        let descriptor = openDescriptor(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw explain(errno, device) }
        do throws(HCITransportError) {
            // A link of another user's may lead to this user's own terminal, and be gone as soon as it was followed.
            let link = ControllerOwner.ofLink(device)
            for owner in [.ofLine(descriptor), link] {
                if case .other(let user) = owner { throw HCITransportError(foreign: user, at: device) }
            }
            guard link != .unknown else { throw explain(ENOENT, device) }
            try makeRaw(descriptor, device, baud: baud)
            // Bytes that were meant for an earlier reader would put the framing out of step.
            tcflush(descriptor, TCIFLUSH)
        } catch {
            _ = closeDescriptor(descriptor)
            throw error
        }
        return descriptor
    }

    private static func makeRaw(_ descriptor: CInt, _ device: String, baud: Int) throws(HCITransportError) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            throw HCITransportError("\(device) is no serial line and no pseudo-terminal")
        }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD)
        guard let code = speeds.first(where: { $0.baud == baud })?.code, cfsetspeed(&settings, code) == 0 else {
            throw HCITransportError("\(device) cannot run at \(baud) bits per second")
        }
        // Some lines refuse flow control: then without.
        var controlled = settings
        controlled.c_cflag |= tcflag_t(CRTSCTS)
        guard
            tcsetattr(descriptor, TCSANOW, &controlled) == 0
                || tcsetattr(descriptor, TCSANOW, &settings) == 0
        else { throw HCITransportError("\(device) cannot be set up for HCI: \(SystemText.of(errno: errno))") }
    }

    private static func explain(_ code: CInt, _ device: String) -> HCITransportError {
        switch code {
        case ENOENT: HCITransportError("there is no \(device); plug the controller in, or start what makes the line")
        case EACCES, EPERM:
            HCITransportError("no permission to open \(device); join the group that owns it (often dialout)")
        case EBUSY: HCITransportError("\(device) is in use; end the program that has it")
        case ENXIO, ENODEV, EIO: HCITransportError("nothing is connected to \(device)")
        default: HCITransportError("cannot open \(device): \(SystemText.of(errno: code))")
        }
    }
}

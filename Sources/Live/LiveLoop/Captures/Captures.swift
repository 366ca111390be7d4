public import BluethroatBluetoothValues
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime
import Foundation

/// Writes what is on the air and what crosses HCI into files, while the world runs.
///
/// The pcapng holds the air and the HCI of every device; a btsnoop can hold one HCI only, and it is that of `loggedDevice`.
public final class Captures: WorldTap {
    /// Bytes that may wait in memory.
    private static let limit = 64 << 10
    /// How long they may wait.
    private static let patience = TimeSpan.milliseconds(500)

    /// When the files want to be brought up to date; nil if they are.
    public private(set) var flushDeadline: Instant?
    /// The device whose HCI the btsnoop holds.
    public var loggedDevice: DeviceID?

    /// How loud a device's frame is where the recorder stands, by the power it was sent with.
    public var hearing: ((SignalStrength, DeviceID) -> SignalStrength)?

    /// Why not all was written; nil as long as all was.
    public private(set) var failure: CaptureError?

    private var isHeld = false
    private let air: CaptureFile?
    private let log: CaptureFile?
    private var recorder: CaptureRecorder
    private var interfaces: [DeviceID: PCAPNGWriter.Interface] = [:]
    private let snoop: BtsnoopWriter
    private var snooped: [UInt8] = []
    private let complain: (CaptureError) -> Void

    /// Opens the files, which stay as they were until something is written. Later errors go to `complain`.
    public init(
        air: String?,
        log: String?,
        epoch: CaptureEpoch,
        complain: @escaping (CaptureError) -> Void
    ) throws(CaptureError) {
        self.air = if let air { try CaptureFile(air) } else { nil }
        self.log = if let log { try CaptureFile(log) } else { nil }
        if let air = self.air, let log = self.log, air.isSame(as: log) {
            throw CaptureError("the capture and the btsnoop are the same file, \(air.path); give two files")
        }
        recorder = CaptureRecorder(epoch: epoch)
        snoop = BtsnoopWriter(epoch: epoch)
        snoop.writeHeader(into: &snooped)
        self.complain = complain
    }

    /// The present moment of the calendar, for a world that begins now.
    public static var epochNow: CaptureEpoch {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return CaptureEpoch(unixNanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public func transmitted(_ transmission: Transmission, by device: DeviceID) {
        guard air != nil else { return }
        recorder.record(
            frame: transmission.frame,
            channel: transmission.channel,
            phy: transmission.phy,
            signal: hearing?(transmission.power, device) ?? transmission.power,
            from: device.rawValue,
            at: transmission.start
        )
        recorded(at: transmission.start)
    }

    public func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        let direction: HCIDirection = fromHost ? .hostToController : .controllerToHost
        if air != nil { recorder.record(hci: packet, direction: direction, on: interface(device), at: now) }
        if log != nil, device == loggedDevice {
            snoop.write(hci: packet, direction: direction, at: now, into: &snooped)
        }
        recorded(at: now)
    }

    public func left(_ device: DeviceID) { interfaces[device] = nil }

    /// Nothing is written until `begin`: what is about to be recorded may yet be refused.
    public func hold() { isHeld = true }

    /// Writes what files of this kind begin with, and everything that waits.
    public func begin() {
        isHeld = false
        flush()
    }

    /// Nothing more is recorded; where nothing was written so far, the files are as they were.
    public func discard() {
        air?.discard()
        log?.discard()
    }

    /// Writes everything that waits; at first that is what files of this kind begin with.
    public func flush() {
        flushDeadline = nil
        guard !isHeld else { return }
        let frames = recorder.takeBytes()
        keep { () throws(CaptureError) in try air?.append(frames) }
        keep { () throws(CaptureError) in try log?.append(snooped) }
        snooped.removeAll(keepingCapacity: true)
    }

    private func keep(_ write: () throws(CaptureError) -> Void) {
        do throws(CaptureError) { try write() } catch {
            failure = failure ?? CaptureError("the capture is not whole: \(error)")
            complain(error)
        }
    }

    /// Nothing more is written.
    public func close() {
        begin()
        keep { () throws(CaptureError) in try air?.close() }
        keep { () throws(CaptureError) in try log?.close() }
    }

    private func interface(_ device: DeviceID) -> PCAPNGWriter.Interface {
        if let known = interfaces[device] { return known }
        let new = recorder.addHCI(name: "hci\(device.rawValue)", description: "HCI of \(device)")
        interfaces[device] = new
        return new
    }

    private func recorded(at now: Instant) {
        if recorder.pendingByteCount + snooped.count > Self.limit {
            flush()
        } else if flushDeadline == nil {
            flushDeadline = now + Self.patience
        }
    }
}

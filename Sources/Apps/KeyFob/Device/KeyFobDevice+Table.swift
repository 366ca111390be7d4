import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

// The fob's attributes on its host.
extension KeyFobDevice {
    /// Adds the table, unless the host has one from an earlier life of the fob.
    func installTable(on host: Host, at now: Instant, into actions: inout HostActions) {
        if host.database.valueHandle(of: 0xFFE1, in: 0xFFE0) == nil {
            do throws(DatabaseError) {
                try host.addServices(KeyFobTable(options: options).services, at: now, into: &actions)
            } catch {
                preconditionFailure("the key fob's table contradicts itself: \(error)")
            }
        }
        handles = ValueHandles(in: host.database)
        setSystemID([0, 0, 0, 0, 0, 0, 0, 0], on: host)
    }

    func setSystemID(_ systemID: [UInt8], on host: Host) {
        guard let handle = host.database.valueHandle(of: 0x2A23, in: 0x180A) else { return }
        // It was there a moment ago, and eight bytes are not too many.
        try? host.setValue(systemID, of: handle)
    }

    func type(of handle: AttributeHandle, on host: Host) -> BluetoothUUID? {
        host.database.rows.first { $0.handle == handle }?.type
    }
}

// Properties in extensions, kept the Objective-C way, and values whose bytes are swapped by the functions of old.
import CoreBluetooth

private nonisolated(unsafe) var nicknameKey: UInt8 = 0
private nonisolated(unsafe) var keeperKey: UInt8 = 0

extension CBPeer {
    var nickname: String? {
        get { objc_getAssociatedObject(self, &nicknameKey) as? String }
        set { objc_setAssociatedObject(self, &nicknameKey, newValue, objc_AssociationPolicy.OBJC_ASSOCIATION_COPY) }
    }
}

extension NSObject {
    /// Not kept.
    var keeper: AnyObject? {
        get { objc_getAssociatedObject(self, &keeperKey) as AnyObject? }
        set { objc_setAssociatedObject(self, &keeperKey, newValue, .OBJC_ASSOCIATION_ASSIGN) }
    }

    var attachment: NSObject? {
        get { objc_getAssociatedObject(self, Unmanaged.passUnretained(self).toOpaque()) as? NSObject }
        set {
            let key = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            objc_setAssociatedObject(self, key, newValue, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        }
    }
}

enum SwappingStyle {
    static func rate(in measurement: Data) -> UInt16 {
        guard let flags = measurement.first, flags & 1 != 0 else { return UInt16(measurement.dropFirst().first ?? 0) }
        return CFSwapInt16LittleToHost(measurement.dropFirst().withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) })
    }

    static func major(in beacon: Data) -> UInt32 {
        CFSwapInt32BigToHost(beacon.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    }
}

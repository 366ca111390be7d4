// What code that is written for the original finds without a further import. CoreBluetooth's own types are not among it, as with
// the original: an app's target may have type aliases of their names, which its tests import together with this module.
@_exported public import Dispatch
@_exported public import Foundation

@_exported public import typealias CoreBluetooth.CFAbsoluteTime
@_exported public import func CoreBluetooth.CFAbsoluteTimeGetCurrent
@_exported public import func CoreBluetooth.CFRunLoopGetCurrent
@_exported public import func CoreBluetooth.CFRunLoopGetMain
@_exported public import func CoreBluetooth.CFRunLoopRun
@_exported public import func CoreBluetooth.CFRunLoopStop
@_exported public import typealias CoreBluetooth.CFTimeInterval
// What Foundation brings on Apple's systems.
@_exported public import let CoreBluetooth.NSEC_PER_MSEC
@_exported public import let CoreBluetooth.NSEC_PER_SEC
@_exported public import let CoreBluetooth.NSEC_PER_USEC
@_exported public import let CoreBluetooth.USEC_PER_SEC
@_exported public import func CoreBluetooth.autoreleasepool
@_exported public import func CoreBluetooth.objc_sync_enter
@_exported public import func CoreBluetooth.objc_sync_exit

// What Apple's module hands on to those who import it, so that source with `import CoreBluetooth` alone compiles.
@_exported public import CoreBluetooth
@_exported public import Dispatch
@_exported public import Foundation

@_exported public import typealias CoreFoundation.CFAbsoluteTime
@_exported public import func CoreFoundation.CFAbsoluteTimeGetCurrent
// Programs without a user interface run the main loop by these.
@_exported public import class CoreFoundation.CFRunLoop
@_exported public import func CoreFoundation.CFRunLoopGetCurrent
@_exported public import func CoreFoundation.CFRunLoopGetMain
@_exported public import func CoreFoundation.CFRunLoopRun
@_exported public import func CoreFoundation.CFRunLoopStop
// The order of bytes in values, as old code swaps it.
@_exported public import func CoreFoundation.CFSwapInt16
@_exported public import func CoreFoundation.CFSwapInt16BigToHost
@_exported public import func CoreFoundation.CFSwapInt16HostToBig
@_exported public import func CoreFoundation.CFSwapInt16HostToLittle
@_exported public import func CoreFoundation.CFSwapInt16LittleToHost
@_exported public import func CoreFoundation.CFSwapInt32
@_exported public import func CoreFoundation.CFSwapInt32BigToHost
@_exported public import func CoreFoundation.CFSwapInt32HostToBig
@_exported public import func CoreFoundation.CFSwapInt32HostToLittle
@_exported public import func CoreFoundation.CFSwapInt32LittleToHost
@_exported public import func CoreFoundation.CFSwapInt64
@_exported public import func CoreFoundation.CFSwapInt64BigToHost
@_exported public import func CoreFoundation.CFSwapInt64HostToBig
@_exported public import func CoreFoundation.CFSwapInt64HostToLittle
@_exported public import func CoreFoundation.CFSwapInt64LittleToHost
@_exported public import typealias CoreFoundation.CFTimeInterval
@_exported public import class CoreFoundation.CFUUID
@_exported public import func CoreFoundation.CFUUIDCreate

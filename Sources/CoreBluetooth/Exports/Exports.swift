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
@_exported public import typealias CoreFoundation.CFTimeInterval
@_exported public import class CoreFoundation.CFUUID

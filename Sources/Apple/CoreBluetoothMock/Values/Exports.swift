// What code that is written for the original finds without a further import.
@_exported public import Dispatch
@_exported public import Foundation

// What code that is written for the original finds without a further import: the types that have other names here only, and
// what CoreBluetooth hands on. A type alias of an app's own comes before them.
@_exported public import CoreBluetooth

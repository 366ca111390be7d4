// What tests spell out besides.
@_exported public import struct Host.Passkey
@_exported public import struct KeyFob.Acceleration
@_exported public import enum KeyFob.KeyFobKey
@_exported public import struct KeyFob.KeyFobOptions
@_exported public import enum PhoneService.AppState
@_exported public import enum PhoneService.Authorization
@_exported public import struct PhoneService.BackgroundModes
@_exported public import struct PhoneService.PhoneSettings
@_exported public import struct Phones.AppLaunch
@_exported public import class Phones.Phone
@_exported public import class Phones.PhoneApp

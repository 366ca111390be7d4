// What tests spell out besides.
@_exported public import struct BluethroatHost.Passkey
@_exported public import struct BluethroatKeyFob.Acceleration
@_exported public import enum BluethroatKeyFob.KeyFobKey
@_exported public import struct BluethroatKeyFob.KeyFobOptions
@_exported public import enum BluethroatPhoneService.AppState
@_exported public import enum BluethroatPhoneService.Authorization
@_exported public import struct BluethroatPhoneService.BackgroundModes
@_exported public import enum BluethroatPhoneService.MisuseKind
@_exported public import struct BluethroatPhoneService.PairingQuestion
@_exported public import struct BluethroatPhoneService.PhoneSettings
@_exported public import enum BluethroatPhoneService.WriteReadiness
@_exported public import struct BluethroatPhones.AppLaunch
@_exported public import class BluethroatPhones.PairingDialogue
@_exported public import class BluethroatPhones.Phone
@_exported public import class BluethroatPhones.PhoneApp

// The enumerations and option sets of CoreBluetooth.
//
// They are C so that they are what they are on Apple's systems: as wide as a word, open to values that have no name
// (`CBATTError.Code(rawValue: 0x80)!` is an application's error), and complete with `@unknown default`.

#ifndef BLUETHROAT_CB_ENUMERATIONS_H
#define BLUETHROAT_CB_ENUMERATIONS_H

#include <stdint.h>

#define CB_ENUM(name) enum __attribute__((enum_extensibility(open))) name : intptr_t
#define CB_OPTIONS(name) enum __attribute__((enum_extensibility(open), flag_enum)) name : uintptr_t
#define CB_NAME(name) __attribute__((swift_name(#name)))
#define CB_DEPRECATED(message) __attribute__((deprecated(message)))
#define CB_DEPRECATED_ENUM(name, message) \
    enum __attribute__((enum_extensibility(open), deprecated(message))) name : intptr_t

/// Whether Bluetooth can be used; the order matters: whatever is below `poweredOn` takes no commands.
CB_ENUM(CBManagerState) {
    /// Not known yet.
    CBManagerStateUnknown = 0,
    /// The system's Bluetooth service was lost for a moment; another state follows.
    CBManagerStateResetting = 1,
    /// There is no Bluetooth LE here, or not in this role.
    CBManagerStateUnsupported = 2,
    /// The app may not use Bluetooth; `CBManager.authorization` says why.
    CBManagerStateUnauthorized = 3,
    /// Bluetooth is switched off.
    CBManagerStatePoweredOff = 4,
    /// Bluetooth is there and takes commands.
    CBManagerStatePoweredOn = 5,
};

/// What an app may do with Bluetooth.
CB_ENUM(CBManagerAuthorization) {
    /// The user was not asked yet.
    CBManagerAuthorizationNotDetermined = 0,
    /// The app may not use Bluetooth, and its user cannot change that.
    CBManagerAuthorizationRestricted = 1,
    /// The user does not want the app to use Bluetooth.
    CBManagerAuthorizationDenied = 2,
    /// The app may use Bluetooth at any time.
    CBManagerAuthorizationAllowedAlways = 3,
};

/// The states of a central manager under their name until iOS 10; the values are those of `CBManagerState`.
CB_DEPRECATED_ENUM(CBCentralManagerState, "Use CBManagerState instead") {
    CBCentralManagerStateUnknown = 0,
    CBCentralManagerStateResetting = 1,
    CBCentralManagerStateUnsupported = 2,
    CBCentralManagerStateUnauthorized = 3,
    CBCentralManagerStatePoweredOff = 4,
    CBCentralManagerStatePoweredOn = 5,
};

/// The states of a peripheral manager under their name until iOS 10; the values are those of `CBManagerState`.
CB_DEPRECATED_ENUM(CBPeripheralManagerState, "Use CBManagerState instead") {
    CBPeripheralManagerStateUnknown = 0,
    CBPeripheralManagerStateResetting = 1,
    CBPeripheralManagerStateUnsupported = 2,
    CBPeripheralManagerStateUnauthorized = 3,
    CBPeripheralManagerStatePoweredOff = 4,
    CBPeripheralManagerStatePoweredOn = 5,
};

/// What an app may do with Bluetooth in the background, under its name until iOS 13.
CB_DEPRECATED_ENUM(CBPeripheralManagerAuthorizationStatus, "Use CBManagerAuthorization instead") {
    CBPeripheralManagerAuthorizationStatusNotDetermined = 0,
    CBPeripheralManagerAuthorizationStatusRestricted = 1,
    CBPeripheralManagerAuthorizationStatusDenied = 2,
    CBPeripheralManagerAuthorizationStatusAuthorized = 3,
};

/// How fast a connection to a central shall be; a hint, at the price of energy.
CB_ENUM(CBPeripheralManagerConnectionLatency) {
    /// As fast as can be.
    CBPeripheralManagerConnectionLatencyLow = 0,
    /// A balance.
    CBPeripheralManagerConnectionLatencyMedium = 1,
    /// Slow and frugal.
    CBPeripheralManagerConnectionLatencyHigh = 2,
};

/// What happened to a peripheral that an app watches, whichever app connected it.
CB_ENUM(CBConnectionEvent) {
    CBConnectionEventPeerDisconnected = 0,
    CBConnectionEventPeerConnected = 1,
};

/// How a central stands to a peripheral.
CB_ENUM(CBPeripheralState) {
    CBPeripheralStateDisconnected = 0,
    CBPeripheralStateConnecting = 1,
    CBPeripheralStateConnected = 2,
    CBPeripheralStateDisconnecting = 3,
};

/// Whether a write is answered.
CB_ENUM(CBCharacteristicWriteType) {
    /// The peripheral confirms or refuses.
    CBCharacteristicWriteWithResponse CB_NAME(withResponse) = 0,
    /// The peripheral does not confirm.
    CBCharacteristicWriteWithoutResponse CB_NAME(withoutResponse) = 1,
};

/// What a client can do with a characteristic. Core 6.0, Vol 3, Part G, 3.3.1.1; the two last are the system's own.
CB_OPTIONS(CBCharacteristicProperties) {
    CBCharacteristicPropertyBroadcast CB_NAME(broadcast) = 0x01,
    CBCharacteristicPropertyRead CB_NAME(read) = 0x02,
    CBCharacteristicPropertyWriteWithoutResponse CB_NAME(writeWithoutResponse) = 0x04,
    CBCharacteristicPropertyWrite CB_NAME(write) = 0x08,
    CBCharacteristicPropertyNotify CB_NAME(notify) = 0x10,
    CBCharacteristicPropertyIndicate CB_NAME(indicate) = 0x20,
    CBCharacteristicPropertyAuthenticatedSignedWrites CB_NAME(authenticatedSignedWrites) = 0x40,
    CBCharacteristicPropertyExtendedProperties CB_NAME(extendedProperties) = 0x80,
    /// Notifications go to trusted devices only.
    CBCharacteristicPropertyNotifyEncryptionRequired CB_NAME(notifyEncryptionRequired) = 0x100,
    /// Indications go to trusted devices only.
    CBCharacteristicPropertyIndicateEncryptionRequired CB_NAME(indicateEncryptionRequired) = 0x200,
};

/// What a server lets its clients do with a value.
CB_OPTIONS(CBAttributePermissions) {
    CBAttributePermissionsReadable CB_NAME(readable) = 0x01,
    CBAttributePermissionsWriteable CB_NAME(writeable) = 0x02,
    /// Trusted devices can read.
    CBAttributePermissionsReadEncryptionRequired CB_NAME(readEncryptionRequired) = 0x04,
    /// Trusted devices can write.
    CBAttributePermissionsWriteEncryptionRequired CB_NAME(writeEncryptionRequired) = 0x08,
};

/// `CBCentralManager.Feature`.
CB_OPTIONS(CBCentralManagerFeature) {
    /// Scanning for, and connecting to, devices that use extended advertising.
    CBCentralManagerFeatureExtendedScanAndConnect CB_NAME(extendedScanAndConnect) = 0x01,
    /// Measuring distances. No host here can.
    CBCentralManagerFeatureChannelSounding CB_NAME(channelSounding) = 0x400,
};

/// `CBChannelSoundingSessionConfiguration.Role`.
CB_ENUM(CBChannelSoundingRole) {
    CBChannelSoundingRoleInitiator = 0,
};

/// `CBError.Code`.
CB_ENUM(CBErrorCode) {
    CBErrorCodeUnknown CB_NAME(unknown) = 0,
    CBErrorCodeInvalidParameters CB_NAME(invalidParameters) = 1,
    CBErrorCodeInvalidHandle CB_NAME(invalidHandle) = 2,
    CBErrorCodeNotConnected CB_NAME(notConnected) = 3,
    CBErrorCodeOutOfSpace CB_NAME(outOfSpace) = 4,
    CBErrorCodeOperationCancelled CB_NAME(operationCancelled) = 5,
    CBErrorCodeConnectionTimeout CB_NAME(connectionTimeout) = 6,
    CBErrorCodePeripheralDisconnected CB_NAME(peripheralDisconnected) = 7,
    CBErrorCodeUUIDNotAllowed CB_NAME(uuidNotAllowed) = 8,
    CBErrorCodeAlreadyAdvertising CB_NAME(alreadyAdvertising) = 9,
    CBErrorCodeConnectionFailed CB_NAME(connectionFailed) = 10,
    CBErrorCodeConnectionLimitReached CB_NAME(connectionLimitReached) = 11,
    CBErrorCodeUnkownDevice CB_NAME(unkownDevice) CB_DEPRECATED("Use unknownDevice instead") = 12,
    CBErrorCodeOperationNotSupported CB_NAME(operationNotSupported) = 13,
    CBErrorCodePeerRemovedPairingInformation CB_NAME(peerRemovedPairingInformation) = 14,
    CBErrorCodeEncryptionTimedOut CB_NAME(encryptionTimedOut) = 15,
    CBErrorCodeTooManyLEPairedDevices CB_NAME(tooManyLEPairedDevices) = 16,
    CBErrorCodeLeGattExceededBackgroundNotificationLimit CB_NAME(leGattExceededBackgroundNotificationLimit) = 17,
    CBErrorCodeLeGattNearBackgroundNotificationLimit CB_NAME(leGattNearBackgroundNotificationLimit) = 18,
    CBErrorCodeChannelSoundingConfigurationFailed CB_NAME(channelSoundingConfigurationFailed) = 19,
    CBErrorCodeChannelSoundingProcedureFailed CB_NAME(channelSoundingProcedureFailed) = 20,
};

/// `CBATTError.Code`: the error codes of ATT. Core 6.0, Vol 3, Part F, 3.4.1.1.
CB_ENUM(CBATTErrorCode) {
    CBATTErrorCodeSuccess CB_NAME(success) = 0x00,
    CBATTErrorCodeInvalidHandle CB_NAME(invalidHandle) = 0x01,
    CBATTErrorCodeReadNotPermitted CB_NAME(readNotPermitted) = 0x02,
    CBATTErrorCodeWriteNotPermitted CB_NAME(writeNotPermitted) = 0x03,
    CBATTErrorCodeInvalidPdu CB_NAME(invalidPdu) = 0x04,
    CBATTErrorCodeInsufficientAuthentication CB_NAME(insufficientAuthentication) = 0x05,
    CBATTErrorCodeRequestNotSupported CB_NAME(requestNotSupported) = 0x06,
    CBATTErrorCodeInvalidOffset CB_NAME(invalidOffset) = 0x07,
    CBATTErrorCodeInsufficientAuthorization CB_NAME(insufficientAuthorization) = 0x08,
    CBATTErrorCodePrepareQueueFull CB_NAME(prepareQueueFull) = 0x09,
    CBATTErrorCodeAttributeNotFound CB_NAME(attributeNotFound) = 0x0A,
    CBATTErrorCodeAttributeNotLong CB_NAME(attributeNotLong) = 0x0B,
    CBATTErrorCodeInsufficientEncryptionKeySize CB_NAME(insufficientEncryptionKeySize) = 0x0C,
    CBATTErrorCodeInvalidAttributeValueLength CB_NAME(invalidAttributeValueLength) = 0x0D,
    CBATTErrorCodeUnlikelyError CB_NAME(unlikelyError) = 0x0E,
    CBATTErrorCodeInsufficientEncryption CB_NAME(insufficientEncryption) = 0x0F,
    CBATTErrorCodeUnsupportedGroupType CB_NAME(unsupportedGroupType) = 0x10,
    CBATTErrorCodeInsufficientResources CB_NAME(insufficientResources) = 0x11,
};

/// Names an L2CAP channel that can be opened: a protocol/service multiplexer. Core 6.0, Vol 3, Part A, 4.22.
typedef uint16_t CBL2CAPPSM;

#undef CB_ENUM
#undef CB_OPTIONS
#undef CB_NAME
#undef CB_DEPRECATED
#undef CB_DEPRECATED_ENUM

#endif

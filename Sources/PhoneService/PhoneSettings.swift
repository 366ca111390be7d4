public import BluetoothValues
public import Host

/// What a phone is like, as far as its Bluetooth service is concerned.
public struct PhoneSettings: Sendable {
    /// What the phone is called: the Device Name of its Generic Access service, at most 248 bytes.
    public var name = "Phone"
    /// Its Appearance, from the Assigned Numbers, 2.6; 64 is a generic phone.
    public var appearance: UInt16 = 64
    /// How many updates of one peripheral manager may wait for the radio before `updateValue` says no.
    public var updateWindow = 16
    /// Whether apps may publish the services that iOS keeps for itself, such as Battery and Device Information, in
    /// their short form. Generic Access and Generic Attribute are always the phone's own.
    public var allowsReservedServices = false
    /// Whether clients can read the phone's name. Where they cannot, as on iOS 6, the answer is "unlikely error".
    public var nameIsReadable = true
    /// Whether what clients write without response reaches apps. On iOS 6 it did not.
    public var deliversWritesWithoutResponse = true
    /// How often an app in the foreground advertises; nil is 152.5 ms, one of the intervals that Apple recommends.
    public var advertisingInterval: AdvertisingInterval?

    /// How many writes without response one app may have under way on a connection before it has to wait.
    public var writeWindow = 16
    /// How many bytes an app may have waiting on an L2CAP channel, on top of the few thousand that the host has queued
    /// for the radio, before its output stream has no space.
    public var channelSendBuffer = 32_768
    /// How many bytes of a channel's peer may wait for the app to read them, in frames of 1000 bytes; then the peer has
    /// to wait.
    public var channelReceiveBuffer = 32_000
    /// What the phone's person types where a peer shows six digits; nil refuses.
    public var passkey: Passkey?
    /// Seconds from 1 January 2001 to the instant zero, for what apps are told in such seconds.
    public var startOfTime = 0.0

    public init() {}
}

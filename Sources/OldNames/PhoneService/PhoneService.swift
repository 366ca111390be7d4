// The module's name until version 0.2. docs/old-names.md
@_exported public import BluethroatPhoneService

@available(*, deprecated, renamed: "SessionEvent")
public typealias SessionNews = SessionEvent
@available(*, deprecated, renamed: "SessionCommand")
public typealias SessionOrder = SessionCommand
@available(*, deprecated, renamed: "CentralEvent")
public typealias CentralNews = CentralEvent
@available(*, deprecated, renamed: "CentralCommand")
public typealias CentralOrder = CentralCommand
@available(*, deprecated, renamed: "PeripheralEvent")
public typealias PeripheralNews = PeripheralEvent
@available(*, deprecated, renamed: "PeripheralCommand")
public typealias PeripheralOrder = PeripheralCommand
@available(*, deprecated, renamed: "PeerEvent")
public typealias PeerNews = PeerEvent
@available(*, deprecated, renamed: "PeerCommand")
public typealias PeerOrder = PeerCommand
@available(*, deprecated, renamed: "AppChannelEvent")
public typealias ChannelNews = AppChannelEvent
@available(*, deprecated, renamed: "AppChannelCommand")
public typealias ChannelOrder = AppChannelCommand

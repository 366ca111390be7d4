package import BluethroatPhoneService

extension PhoneSettings {
    /// The phone of a simulation: it takes as many writes without response as the original, reports an advertisement once,
    /// with its response, and finds all services of a specification.
    package static var mockPhone: Self {
        var settings = Self()
        settings.name = "Phone"
        settings.writeWindow = 20
        settings.joinsScanResponses = true
        settings.hidesSystemServices = false
        return settings
    }
}

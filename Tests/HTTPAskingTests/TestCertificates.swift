import Foundation
import NIOSSL

/// Certificates of an authority that nobody trusts, made for tests: they say nothing of anybody, and their keys are no secret.
enum TestCertificates {
    /// Servers that the authority vouches for.
    enum Server: CaseIterable, Sendable {
        /// `localhost` and 127.0.0.1.
        case here
        /// 127.0.0.1 and ::1, and no name.
        case address
        /// `elsewhere.example`, `*.star.example` and 127.0.0.2.
        case elsewhere

        var texts: (certificate: String, key: String) {
            switch self {
            case .here: (TestCertificates.here, keyOfHere)
            case .address: (TestCertificates.address, keyOfAddress)
            case .elsewhere: (TestCertificates.elsewhere, keyOfElsewhere)
            }
        }
    }

    /// Calls back with a file that has the authority.
    static func withAuthority(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID()).pem").path
        try Data(authority.utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        try await body(path)
    }

    static func certificate(of server: Server) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(server.texts.certificate.utf8), format: .pem)
    }

    /// What a server needs to speak TLS.
    static func context(_ server: Server) throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate(of: server))],
                privateKey: .privateKey(NIOSSLPrivateKey(bytes: Array(server.texts.key.utf8), format: .pem))
            )
        )
    }

    private static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBjzCCATWgAwIBAgIUNRHKGbiloOqFtM+IVXEOBRsJisswCgYIKoZIzj0EAwIw
        HDEaMBgGA1UEAwwRTm9ib2R5IGJ1dCBhIHRlc3QwIBcNMjYxMTI5MTQ1NjE2WhgP
        MjEyNjExMDUxNDU2MTZaMBwxGjAYBgNVBAMMEU5vYm9keSBidXQgYSB0ZXN0MFkw
        EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbabMDiJPQ5Vi51X64nvCFltdSOR9tIOd
        5t8ZAGS0V7gDT+T+BvhJLLGoOI2g+nOzMOsMnRJ0Y2EReyyRvsK4MKNTMFEwHQYD
        VR0OBBYEFNr7D1X5CmGJ9GRPEdKf6Cy82NRlMB8GA1UdIwQYMBaAFNr7D1X5CmGJ
        9GRPEdKf6Cy82NRlMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIg
        bZKbC0ls8tYjAYBqITSmu1mk1e2OjsmcnwGTYIrwEWkCIQDn3O+03yIrcfCsxI50
        8AKDAmMLoDX1GRELKZf1PLLLkQ==
        -----END CERTIFICATE-----
        """
    private static let here = """
        -----BEGIN CERTIFICATE-----
        MIIBkzCCATigAwIBAgIUH+0Z6vy8q1xdQCq4GbAgQfPGpaEwCgYIKoZIzj0EAwIw
        HDEaMBgGA1UEAwwRTm9ib2R5IGJ1dCBhIHRlc3QwIBcNMjYxMTI5MTQ1NjE2WhgP
        MjEyNjExMDUxNDU2MTZaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABK7PrSBNeMDpgGsLRfcdXklXOwPcWy1vBmhPh22D6u0w
        0LEf8ANzWo2o7v1CNCzvXs+tS5gzsGlcvX2XSxFazgmjXjBcMBoGA1UdEQQTMBGC
        CWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUhIOFI0O5boVjicFQ/5j2h5VonRgw
        HwYDVR0jBBgwFoAU2vsPVfkKYYn0ZE8R0p/oLLzY1GUwCgYIKoZIzj0EAwIDSQAw
        RgIhAO3/OESc2djBEyV1JkOkbj/FfLsnAL2QMUeu1+g2ZHrBAiEAnoXGCwDZkJoe
        MYc/HqpSP7cPt5Vj0/1aAuIFXsFtfAQ=
        -----END CERTIFICATE-----
        """
    private static let keyOfHere = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIE1M6JC24f1vYCYDMw6p2zPimy1znaw1rjkIPHU2RJ0NoAoGCCqGSM49
        AwEHoUQDQgAErs+tIE14wOmAawtF9x1eSVc7A9xbLW8GaE+HbYPq7TDQsR/wA3Na
        jaju/UI0LO9ez61LmDOwaVy9fZdLEVrOCQ==
        -----END EC PRIVATE KEY-----
        """
    private static let address = """
        -----BEGIN CERTIFICATE-----
        MIIBmTCCAT+gAwIBAgIUH+0Z6vy8q1xdQCq4GbAgQfPGpaQwCgYIKoZIzj0EAwIw
        HDEaMBgGA1UEAwwRTm9ib2R5IGJ1dCBhIHRlc3QwIBcNMjYxMTI5MTUyODUyWhgP
        MjEyNjExMDUxNTI4NTJaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABOnXRkaMHcekXxDL0AvNOnRRsxVrkog+BCAg2/ZEtAuL
        Ama0Sva0H6ndYulO5hGkFd1IRJwEVJlVtxoCPRzNeCKjZTBjMCEGA1UdEQQaMBiH
        BH8AAAGHEAAAAAAAAAAAAAAAAAAAAAEwHQYDVR0OBBYEFH69PeYgUFr3Q++KS5Ho
        zL1UnSFmMB8GA1UdIwQYMBaAFNr7D1X5CmGJ9GRPEdKf6Cy82NRlMAoGCCqGSM49
        BAMCA0gAMEUCIDGzuvU9fZNl47GT3rpzs5JZ5xoiFb36CHK/pVLa44gqAiEA7IIb
        uWpfkPSFrdNVd9xr9sxqXGEc+zI2DCpyB5xTksU=
        -----END CERTIFICATE-----
        """
    private static let keyOfAddress = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEINQyHpxyUeg1igDORB7uXhVuQyJsH9msGnDLHjL+1p/KoAoGCCqGSM49
        AwEHoUQDQgAE6ddGRowdx6RfEMvQC806dFGzFWuSiD4EICDb9kS0C4sCZrRK9rQf
        qd1i6U7mEaQV3UhEnARUmVW3GgI9HM14Ig==
        -----END EC PRIVATE KEY-----
        """
    private static let elsewhere = """
        -----BEGIN CERTIFICATE-----
        MIIBqTCCAVCgAwIBAgIUH+0Z6vy8q1xdQCq4GbAgQfPGpaMwCgYIKoZIzj0EAwIw
        HDEaMBgGA1UEAwwRTm9ib2R5IGJ1dCBhIHRlc3QwIBcNMjYxMTI5MTUyODUyWhgP
        MjEyNjExMDUxNTI4NTJaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABL1Y7BJ1t8V0r+Npvz5+TAuECa7q+oP3ZBwWDstaOFeY
        yYFu7o+DnV73a/HPnKE5TfEpQaOCnxprtmYqst3G0WajdjB0MDIGA1UdEQQrMCmC
        EWVsc2V3aGVyZS5leGFtcGxlgg4qLnN0YXIuZXhhbXBsZYcEfwAAAjAdBgNVHQ4E
        FgQU5omQEwCRAKCodBbOtRAeh7g6J4cwHwYDVR0jBBgwFoAU2vsPVfkKYYn0ZE8R
        0p/oLLzY1GUwCgYIKoZIzj0EAwIDRwAwRAIgBBgCnwqcXoRrqwM+bxXOncLvoI9M
        0/MVaDhPAN6rMBkCIEFk4flzwmMjrGL7oBdta61YslTZ+j1Qfj2TnYVhCUab
        -----END CERTIFICATE-----
        """
    private static let keyOfElsewhere = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIKBKJ2VJIWfIoEDiK3EaarkZAtcs9Z9TYh/2a/qUIoUuoAoGCCqGSM49
        AwEHoUQDQgAEvVjsEnW3xXSv42m/Pn5MC4QJrur6g/dkHBYOy1o4V5jJgW7uj4Od
        Xvdr8c+coTlN8SlBo4KfGmu2Ziqy3cbRZg==
        -----END EC PRIVATE KEY-----
        """
}

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
        /// `elsewhere.example`, `*.star.example`, `dot.example.` and 127.0.0.2.
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
        MIIBTjCB9aADAgECAhQiQfg+V8fDqWT9InwmokyOkIeuVjAKBggqhkjOPQQDAjAc
        MRowGAYDVQQDDBFOb2JvZHkgYnV0IGEgdGVzdDAgFw0wMDAxMDEwMDAwMDBaGA8y
        MTI1MDEwMTAwMDAwMFowHDEaMBgGA1UEAwwRTm9ib2R5IGJ1dCBhIHRlc3QwWTAT
        BgcqhkjOPQIBBggqhkjOPQMBBwNCAASEIEP2jVCspNETd+mnTfGQC+4PrO3EUirZ
        deW+2P+vjSh0rCQm1wec62ZgO1pi7CchgQuitfEuvZixgiFJ4yw5oxMwETAPBgNV
        HRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQDHTRCjzahaY+hWFp7S5AcB
        9vxq0DSH4uJ/ul4ONDfvtgIgd5h/nzrj1t6dhxSaZqUAPr2uIuvVy5WB03C994cb
        vmg=
        -----END CERTIFICATE-----
        """
    private static let here = """
        -----BEGIN CERTIFICATE-----
        MIIBUjCB+KADAgECAhRYqwj1RtEmxDPR+Qtk65kXMilDjTAKBggqhkjOPQQDAjAc
        MRowGAYDVQQDDBFOb2JvZHkgYnV0IGEgdGVzdDAgFw0wMDAxMDEwMDAwMDBaGA8y
        MTI1MDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAEPIfKeI+ZOuIZBzs4FnTBfZscK18o7nyReb9esgNx3jso
        YyZNVDmvV1z9wBpMv8L13/1i6PBxwlrXCfBXtI4SDqMeMBwwGgYDVR0RBBMwEYIJ
        bG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0kAMEYCIQDvugeSiDMy0NHJLQkc
        a3CL8z44t6FBCPWb3R9t062QXwIhAOlCYirAHDyJQtNo15ED6arYTVNGaek4Tr00
        LbjfL9BZ
        -----END CERTIFICATE-----
        """
    private static let keyOfHere = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEINUZ6kZHl8hQKAyuc6dbNc+q7K3PiynSnCad9iPsFHjKoAoGCCqGSM49
        AwEHoUQDQgAEPIfKeI+ZOuIZBzs4FnTBfZscK18o7nyReb9esgNx3jsoYyZNVDmv
        V1z9wBpMv8L13/1i6PBxwlrXCfBXtI4SDg==
        -----END EC PRIVATE KEY-----
        """
    private static let address = """
        -----BEGIN CERTIFICATE-----
        MIIBVzCB/6ADAgECAhQv+fXFXQrLW6n7InN3nw1iJb1CNTAKBggqhkjOPQQDAjAc
        MRowGAYDVQQDDBFOb2JvZHkgYnV0IGEgdGVzdDAgFw0wMDAxMDEwMDAwMDBaGA8y
        MTI1MDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAEB71fYAqdR8+hO4FpWKXlIhor3U3Xh+wQPgSV3k2DUUMK
        IR2w0YibZZnRZbRJgrnsW0AMl9bKnEwiQvDZKgriFqMlMCMwIQYDVR0RBBowGIcE
        fwAAAYcQAAAAAAAAAAAAAAAAAAAAATAKBggqhkjOPQQDAgNHADBEAiB87tfumrNk
        sSzKSvXOUkbIOqEFRYPewH5TypsfB6L1MgIgLcEhEQrTQ6ou+mxGL/4U+6jRqMZG
        bLZSU5zvgIHKAIA=
        -----END CERTIFICATE-----
        """
    private static let keyOfAddress = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFpLXAQ2uz5QUt08LyoJynzrS4IBSOcwPj+Jpy1GWWyWoAoGCCqGSM49
        AwEHoUQDQgAEB71fYAqdR8+hO4FpWKXlIhor3U3Xh+wQPgSV3k2DUUMKIR2w0Yib
        ZZnRZbRJgrnsW0AMl9bKnEwiQvDZKgriFg==
        -----END EC PRIVATE KEY-----
        """
    private static let elsewhere = """
        -----BEGIN CERTIFICATE-----
        MIIBeDCCAR6gAwIBAgIUVEvZvDMVB42EQB6M4Rk6wGCfPrwwCgYIKoZIzj0EAwIw
        HDEaMBgGA1UEAwwRTm9ib2R5IGJ1dCBhIHRlc3QwIBcNMDAwMTAxMDAwMDAwWhgP
        MjEyNTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABJIHY5cTH+wC/GoIZ7AJ9InB4rK3ELTA97P6WI/daEMN
        0QagooVNlBHbQtacxlGKaphTm4knkJIWbdiuZ9an2hOjRDBCMEAGA1UdEQQ5MDeC
        EWVsc2V3aGVyZS5leGFtcGxlgg4qLnN0YXIuZXhhbXBsZYIMZG90LmV4YW1wbGUu
        hwR/AAACMAoGCCqGSM49BAMCA0gAMEUCIQDJQaKisw+Df4jZ19u2XB8bau6girCn
        9ur81KvOd5KBKAIgX5ZJpKwD6e0/hlnznC0XBwnoJxh5yhoBpZu+438LzfU=
        -----END CERTIFICATE-----
        """
    private static let keyOfElsewhere = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIPvpTMfKnHCxh7l5FFTE4VEDGMjodD/7QV2YM0QF53jAoAoGCCqGSM49
        AwEHoUQDQgAEkgdjlxMf7AL8aghnsAn0icHisrcQtMD3s/pYj91oQw3RBqCihU2U
        EdtC1pzGUYpqmFObiSeQkhZt2K5n1qfaEw==
        -----END EC PRIVATE KEY-----
        """
}

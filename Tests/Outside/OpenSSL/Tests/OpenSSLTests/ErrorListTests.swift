import BluethroatBluetoothCrypto
import Glibc
import Testing

/// What an app notices that uses OpenSSL, too.
@Suite("OpenSSL's list of errors")
struct ErrorListTests {
    /// A function of the libcrypto that this process has: it is nil without one.
    static func numberOfErrors(_ name: String) throws -> () -> UInt {
        let function = try #require(dlsym(dlopen(nil, RTLD_NOW), name), "no libcrypto is in this process")
        typealias Function = @convention(c) () -> UInt
        return unsafeBitCast(function, to: Function.self)
    }

    @Test("A point and a private key that are refused leave nothing on the thread's list of errors")
    func refusals() throws {
        let firstError = try Self.numberOfErrors("ERR_peek_error")
        for _ in 0..<20 {
            #expect(throws: P256PublicKey.InvalidPoint.self) { try P256PublicKey(x: .zero, y: .zero) }
            #expect(P256KeyPair(privateKey: .zero) == nil)
            #expect(firstError() == 0)
        }
    }

    @Test("An error of the app's own stays on the list")
    func errorsOfTheApp() throws {
        let firstError = try Self.numberOfErrors("ERR_peek_error")
        let lastError = try Self.numberOfErrors("ERR_peek_last_error")
        typealias Fetch = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> OpaquePointer?
        let fetch = unsafeBitCast(try #require(dlsym(dlopen(nil, RTLD_NOW), "EVP_CIPHER_fetch")), to: Fetch.self)
        #expect(fetch(nil, "ROT-13", nil) == nil)
        let (first, last) = (firstError(), lastError())
        #expect(first != 0)
        #expect(throws: P256PublicKey.InvalidPoint.self) { try P256PublicKey(x: .zero, y: .zero) }
        #expect(firstError() == first && lastError() == last)
        #expect(try Self.numberOfErrors("ERR_get_error")() == first)
    }
}

import ArgumentParser
import Testing

@testable import bluethroat

@Suite("Which bank the money commands talk to")
struct BankOptionsTests {
    @Test(
        "A bank on another machine is spoken to with TLS only, unless it is said that it may be without",
        arguments: [
            "http://bank.example:6404", "http://192.168.1.7", "http://0.0.0.0:6404",
            "http://127.0.0.1.evil.example",
            "http://127.0.0.1@evil.example/", "http://[2001:db8::1]:6404", "http://2130706433:6404",
            "http://localhost.evil.example:6404", "http://128.0.0.1",
        ]
    )
    func elsewhere(url: String) throws {
        let error = #expect(throws: (any Error).self) { try BankOptions.parse(["--bank", url]) }
        let line = error.map { BankOptions.message(for: $0) } ?? ""
        #expect(line.contains("has no TLS") && line.contains("--insecure-bank") && !line.contains("\n"), "\(line)")
        #expect(try BankOptions.parse(["--bank", url, "--insecure-bank"]).bank == url)
        let encrypted = url.replacing("http:", with: "https:")
        #expect(try BankOptions.parse(["--bank", encrypted]).bank == encrypted)
    }

    @Test(
        "A bank on this machine needs no TLS",
        arguments: ["http://127.0.0.1:6404", "http://127.9.8.7", "http://localhost:6404", "http://[::1]:6404"]
    )
    func here(url: String) throws { #expect(try BankOptions.parse(["--bank", url]).bank == url) }

    @Test("Leave to be without TLS is for a bank that is named")
    func alone() { #expect(throws: (any Error).self) { try BankOptions.parse(["--insecure-bank"]) } }
}

import NovaSupport
import NovaTestSupport
import Testing

@testable import NovaHTTP

/// Where requests may go, in every spelling of an address.
@Suite struct NetworkAddressTests {
  @Test(arguments: [
    "localhost", "LocalHost", "a.localhost", "127.0.0.1", "127.255.255.254", "127.1", "127.0.1",
    "2130706433",
    "0x7f.1", "0x7F000001", "0177.0.0.1", "[::1]", "::1", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]",
  ])
  func isThisMachine(host: String) {
    #expect(NetworkHost.isLoopback(host))
    #expect(!NetworkHost.isNeverStorage(host))
  }

  @Test(arguments: [
    "example.com", "localhost.example", "notlocalhost", "127.evil.example", "127.0.0.1.example", "128.0.0.1",
    "126.255.255.255",
    "[::2]", "[::]", "0.0.0.0", "10.0.0.1", "169.254.1.1", "127.0.0.1.5", "127.0.0.256", "0x", "", ".", "[fe80::1]",
    "1.2.3", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::127.0.0.1]", "[::1\u{0}x]", "127.0.0..", "127.0.0.1.",
    "localhost.", "a.localhost.",
    "127.0.",
  ])
  func isNotThisMachine(host: String) { #expect(!NetworkHost.isLoopback(host)) }

  @Test(arguments: [
    "169.254.169.254", "169.254.0.0", "169.254.255.255", "169.254.169.254.", "2852039166", "0xA9FEA9FE",
    "0xa9.0xfe.0xa9.0xfe",
    "0251.0376.0251.0376", "169.16689662", "169.254.43518", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]",
    "[::169.254.169.254]", "[64:ff9b::169.254.169.254]", "[2002:a9fe:a9fe::1]", "[fe80::1]", "[fe80::1%25eth0]",
    "[FEBF::1]",
    "[fd00:ec2::254]", "[FD00:0EC2:0:0:0:0:0:254]", "[fd20:ce::254]", "100.100.100.200", "192.0.0.192", "168.63.129.16",
    "0.0.0.0", "0", "0x0", "0.1.2.3", "[::]", "[::ffff:0.0.0.0]", "metadata.google.internal",
    "Metadata.Google.Internal.",
    "metadata", "instance-data", "instance-data.ec2.internal",
  ])
  func isNeverAStorage(host: String) {
    #expect(NetworkHost.isNeverStorage(host))
    #expect(!NetworkHost.isLoopback(host))
  }

  @Test(arguments: [
    "storage.example", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.253.255.255", "169.255.0.0", "100.100.100.201",
    "[fec0::1]", "[fd00:ec2::255]", "[2001:db8::1]", "1.2.3.4", "255.255.255.255", "metadata.example", "my-metadata",
  ])
  func mayBeAStorage(host: String) { #expect(!NetworkHost.isNeverStorage(host)) }

  /// Each IPv4 address is the same in every spelling.
  @Test(arguments: 0..<10) func spellingsAgree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let bytes = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
      let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let dotted = bytes.map(String.init).joined(separator: ".")
      let spellings = [
        "\(number)", "0x" + String(number, radix: 16), "0" + String(number, radix: 8),
        bytes.map { "0x" + String($0, radix: 16) }.joined(separator: "."),
        bytes.map { "0" + String($0, radix: 8) }.joined(separator: "."), "[::ffff:\(dotted)]",
      ]
      for spelling in spellings { #expect(NetworkAddress(spelling)?.dottedDecimal == dotted, "\(spelling)") }
      #expect(NetworkHost.isNeverStorage("[64:ff9b::\(dotted)]") == NetworkHost.isNeverStorage(dotted))
    }
  }

  private func reaches(_ address: String?, _ url: HTTPURL, isForStorage: Bool) throws -> TransportError? {
    var request = HTTPRequest(method: .put, url: url)
    request.isForStorage = isForStorage
    let transfer = try CurlTransfer(request, on: CurlLoop(options: CurlTransport.Options(userAgent: "")))
    let isReached = transfer.mayReach(address: address)
    #expect(isReached == (transfer.failure == nil))
    return transfer.failure
  }

  /// A name can resolve to any address, so the connection's address is checked.
  @Test func aStoragesNameLeadsToNoSuchAddress() throws {
    for address in ["169.254.169.254", "fe80::1", "fd00:ec2::254", "0.0.0.0", "::ffff:169.254.1.1"] {
      let error = try reaches(address, "https://storage.example/x", isForStorage: true)
      #expect(error?.kind == .invalidURL && error?.requestMayHaveLeft == false, "\(address)")
      #expect(error?.message.hasSuffix("never a storage; nothing was sent") == true)
      #expect(try reaches(address, "https://gateway.example/x", isForStorage: false) == nil, "the user has named it")
    }
    for address in ["192.0.2.1", "10.0.0.1", "127.0.0.1", nil] {
      #expect(try reaches(address, "https://storage.example/x", isForStorage: true) == nil)
    }
    #expect(try reaches("127.0.0.1", "http://localhost/x", isForStorage: true) == nil)
    // The connection was reset before its address could be read.
    #expect(try reaches("", "http://localhost/x", isForStorage: true) == nil)
    for isForStorage in [true, false] {
      #expect(try reaches("192.0.2.1", "http://localhost/x", isForStorage: isForStorage)?.kind == .invalidURL)
    }
    #expect(try reaches("192.0.2.1", "http://gateway.example/x", isForStorage: false) == nil)
  }
}

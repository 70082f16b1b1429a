import CCurl
@testable import FuzzTargets
import Glibc
@testable import NovaCore
@testable import NovaHTTP
@testable import NovaSupport

/// No URL means one host to the SDK and another to libcurl, and nothing in an argument becomes another path.
enum URLsTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    checkRequestURL(text)
    checkBaseURL(text)
    checkPath(text)
    checkQuery(text)
  }

  private static func checkRequestURL(_ text: String) {
    guard let url = try? HTTPURL(parsing: text) else { return }
    let again = mustSucceed("a URL refuses its own text") { try HTTPURL(parsing: url.text) }
    require(again == url, "reading a URL's text gives another URL")
    require((1...65535).contains(url.origin.port) && !url.origin.host.isEmpty, "no such place: \(url.origin.place)")
    // What libcurl refuses is never sent.
    guard let curl = CurlURL(url.text) else { return }
    require(curl.port == url.origin.port, "port \(url.origin.port), and \(curl.port) to libcurl: \(url.text)")
    require(curl.isSecure == url.origin.isSecure, "the schemes differ: \(url.text)")
    let isSame =
      curl.host.lowercased() == url.origin.host
      || curl.address != nil && curl.address == CurlURL.address(url.origin.host)
    // libcurl writes numeric addresses in full; such a host must then not be trusted for what it seemed to be.
    require(isSame || curl.isIPv4, "host \(url.origin.host), and \(curl.host) to libcurl")
    require(!url.origin.isLoopback || curl.isLoopback, "\(url.origin.host) is loopback, and \(curl.host) to libcurl")
  }

  private static func checkBaseURL(_ text: String) {
    guard let url = BaseURL.parse(text) else { return }
    require(BaseURL.parse(url.text) == url, "a base URL refuses its own text, or reads it as another: \(url.text)")
    let request = mustSucceed("a base URL is no URL") { try HTTPURL(parsing: url.text) }
    require(request == url, "a base URL's text is another URL: \(url.text)")
  }

  private static func checkPath(_ text: String) {
    let template = PathTemplate("/api/{id}/more")
    let path = template.path { _ in PercentEncoding.encode(text) }
    require(path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "an encoded path has other bytes: \(path)")
    if !text.isEmpty { require(template.match(path) == ["id": text], "the path \(path) is not that of \(text)") }
    _ = template.match(text)
  }

  private static func checkQuery(_ text: String) {
    for pair in PercentEncoding.pairs(text) {
      let written = "\(PercentEncoding.encode(pair.name))=\(PercentEncoding.encode(pair.value))"
      let again = PercentEncoding.pairs(written)
      require(again.count == 1 && again[0] == pair, "\(pair) is another pair when it is written and read")
    }
  }
}

/// A URL as libcurl reads it.
private struct CurlURL {
  let host: String
  let port: Int
  let isSecure: Bool

  init?(_ text: String) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
      var bytes: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, part, &bytes, flags) == CURLUE_OK, let bytes else { return nil }
      defer { curl_free(bytes) }
      return String(cString: bytes)
    }
    guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK, let host = part(CURLUPART_HOST),
      let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }),
      let scheme = part(CURLUPART_SCHEME)
    else { return nil }
    self.host = host
    self.port = port
    isSecure = scheme == "https"
  }

  var address: [UInt8]? { Self.address(host) }

  /// The bytes of an IPv6 address in brackets, without its zone.
  static func address(_ host: String) -> [UInt8]? {
    guard host.hasPrefix("[") else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET6, String(host.dropFirst().prefix { $0 != "%" && $0 != "]" }), &bytes) == 1 ? bytes : nil
  }

  /// `::1` and `::ffff:127.0.0.0/104`.
  private static func isLoopback(_ address: [UInt8]) -> Bool {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127]
    return address == [UInt8](repeating: 0, count: 15) + [1] || address.starts(with: mapped)
  }

  var isIPv4: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  var isLoopback: Bool {
    let host = host.lowercased()
    return isIPv4 && host.hasPrefix("127.") || address.map(Self.isLoopback) == true || host == "localhost"
      || host.hasSuffix(".localhost")
  }
}

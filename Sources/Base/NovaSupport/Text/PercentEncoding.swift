/// Percent-encoding (RFC 3986) of everything except unreserved characters.
package enum PercentEncoding {
  package static let unreserved = ASCIISet.alphanumerics + ASCIISet("-._~")
  private static let digits = "0123456789ABCDEF".utf8Bytes

  package static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8Bytes {
      if unreserved.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes a text; nil for a broken escape, and for a result that is not UTF-8.
  package static func decode(_ text: String, plusIsSpace: Bool = false) -> String? {
    decode(text.utf8Bytes, plusIsSpace: plusIsSpace, keepsBroken: false).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// Decodes bytes. A broken escape is kept, or else makes the result nil.
  ///
  /// - Parameter allowed: the characters to decode; the escapes of others count as broken. Default: all.
  package static func decode(
    _ bytes: [UInt8], only allowed: ASCIISet? = nil, plusIsSpace: Bool = false, keepsBroken: Bool
  ) -> [UInt8]? {
    var decoded: [UInt8] = []
    var place = 0
    while place < bytes.count {
      var byte = bytes[place]
      if byte == UInt8(ascii: "+"), plusIsSpace { byte = UInt8(ascii: " ") }
      if byte == UInt8(ascii: "%") {
        if place + 2 < bytes.count, let high = bytes[place + 1].hexadecimalValue,
          let low = bytes[place + 2].hexadecimalValue, allowed?.contains(high << 4 | low) ?? true
        {
          byte = high << 4 | low
          place += 2
        } else if !keepsBroken {
          return nil
        }
      }
      decoded.append(byte)
      place += 1
    }
    return decoded
  }

  /// The names and values in a query. Broken escapes are kept.
  package static func pairs(_ query: String) -> [(name: String, value: String)] {
    func text(_ bytes: ArraySlice<UInt8>) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      return decode(text, plusIsSpace: true) ?? text
    }
    return query.parts(between: "&", keepsEmpty: false).map { pair in
      let bytes = pair.utf8Bytes
      let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.count
      return (text(bytes[..<end]), end < bytes.count ? text(bytes[(end + 1)...]) : "")
    }
  }
}

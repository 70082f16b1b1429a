#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension ErrorStatus {
  /// The failure that a body carries under `error` though its status says success; nil for none.
  ///
  /// The contract lets every answer carry one, also those whose message has no such field. So bodies are searched for the
  /// name first, which takes a fraction of reading them, and taken apart only if it is there.
  package init?(inSuccessful body: [UInt8]) {
    guard Self.hasErrorKey(body), let error = (try? JSONValue(jsonUTF8: body))?["error"],
      let status = try? ErrorStatus(jsonUTF8: error.jsonUTF8), status.isFailure
    else { return nil }
    self = status
  }

  private static func hasErrorKey(_ body: [UInt8]) -> Bool {
    let name: StaticString = "\"error\""
    return body.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      let end = start + bytes.count
      var place = start
      while let quote = memchr(place, Int32(UInt8(ascii: "\"")), end - place) {
        place = UnsafeRawPointer(quote)
        if end - place < name.utf8CodeUnitCount { return false }
        if memcmp(place, name.utf8Start, name.utf8CodeUnitCount) == 0 { return true }
        place += 1
      }
      return false
    }
  }
}

/// The maximum sizes of arguments. The contract limits characters and counts; these limit bytes, far above everything
/// that the contract allows, so that a mistake (a file in place of an ID) is found before anything is sent.
package enum ArgumentLimits {
  /// The maximum size of an ID in bytes, in a field or in a list of IDs.
  package static let idBytes = 1024
  /// The maximum size of any other text in bytes. 10,000 characters of 100 bytes each fit.
  package static let textBytes = 1 << 20
  /// The maximum size of a request's path and query together in bytes, a common limit of servers.
  package static let targetBytes = 8000

  /// The maximum size of a value of the field in bytes.
  package static func bytes(of field: FieldDescriptor) -> Int {
    let isID = field.name == "id" || field.name.hasSuffix("_id") || field.name.hasSuffix("_ids")
    return isID ? idBytes : textBytes
  }

  /// The error message for text of this size; nil if it is within the limit.
  package static func problem(_ count: Int, maximum: Int) -> String? {
    count > maximum ? "must have at most \(maximum) bytes, but has \(count)" : nil
  }
}

/// A value for a segment of a path.
package enum PathArgument {
  /// Why the text is invalid; nil if it is valid.
  ///
  /// Percent-encoding keeps a value in its segment only if the server splits the path before it decodes it. Many
  /// servers decode first, some decode twice, and some read `\` as `/` and drop everything after a `;`. A value that
  /// any of them could interpret as `.` or `..` is therefore refused.
  package static func problem(_ text: String) -> String? {
    if text.isEmpty { return "must not be empty" }
    if let problem = ArgumentLimits.problem(text.utf8.count, maximum: ArgumentLimits.idBytes) { return problem }
    var bytes = text.utf8Bytes
    for byte in bytes where byte < 0x20 || byte == 0x7F { return "must not hold control characters" }
    while true {
      if hasDotSegment(bytes) { return "must not hold the path segment . or .., however it is written" }
      // As lenient servers do: invalid escapes are kept.
      let decoded = PercentEncoding.decode(bytes, keepsBroken: true) ?? bytes
      // Each iteration makes it shorter, so the loop ends.
      if decoded.count == bytes.count { return nil }
      bytes = decoded
    }
  }

  private static func hasDotSegment(_ bytes: [UInt8]) -> Bool {
    var (dots, isDots, isName) = (0, true, true)
    for byte in bytes + [UInt8(ascii: "/")] {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        if isDots, dots == 1 || dots == 2 { return true }
        (dots, isDots, isName) = (0, true, true)
      case UInt8(ascii: ";"), 0: isName = false
      case UInt8(ascii: ".") where isName: dots += 1
      default: if isName { isDots = false }
      }
    }
    return false
  }
}

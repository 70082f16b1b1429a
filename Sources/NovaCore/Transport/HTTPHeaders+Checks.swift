extension HTTPHeaders.Field {
  /// Why the field must not be sent, without its value; nil when it may be. A line break in a value would begin a
  /// field, or a request, of somebody else's choice.
  var problem: String? {
    guard HeaderLines.isToken(name) else { return "a header's name is empty or has a forbidden character" }
    guard value.hasOnlyFieldBytes else {
      return "the value of the header \(name) has a line break or another control character"
    }
    return nil
  }
}

extension HTTPHeaders {
  /// Refuses what no transport must be given, whatever it would do with it.
  ///
  /// - Throws: ``APIError`` with the code `invalidArgument`, naming the field but never its value.
  func check() throws(APIError) {
    for field in fields {
      if let problem = field.problem { throw APIError(.invalidArgument, "\(problem): nothing was sent") }
    }
  }
}

extension String {
  /// Whether no byte is a control character other than a tab. Looks at all of them, which is many at a time, because
  /// every value of every request comes by, long tokens among them.
  fileprivate var hasOnlyFieldBytes: Bool {
    var text = self
    return text.withUTF8 { bytes in
      var found: UInt8 = 0
      for byte in bytes { found |= (byte < 0x20 && byte != 0x09) || byte == 0x7f ? 1 : 0 }
      return found == 0
    }
  }
}

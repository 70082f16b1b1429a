extension HTTPHeaders.Field {
  /// Why the field must not be sent, without its value; nil when it may be. A line break in a value would begin a
  /// field, or a request, of somebody else's choice.
  var problem: String? {
    guard HeaderLines.isToken(name) else { return "a header's name is empty or has a forbidden character" }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }) else {
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

import NovaCore

extension MediaType {
  /// Whether a content type names one of the types of this list that the bytes do not have. Other content types cannot
  /// be checked, and may be more specific than what is detected.
  package static func contradicts(_ given: String, _ start: [UInt8]) -> Bool {
    MediaType(contentType: given).map { $0 != MediaType(detectedIn: start) } ?? false
  }

  /// The content type of an upload: what the caller gives if it matches the bytes, or else what the bytes are.
  ///
  /// - Throws: ``APIError`` `invalidArgument` if the two do not match.
  static func contentType(_ given: String?, for start: [UInt8]) throws -> String {
    let detected = MediaType(detectedIn: start)
    guard let given, !given.isEmpty else { return (detected ?? .octetStream).rawValue }
    guard contradicts(given, start) else { return given }
    let found = detected.map { "are \($0)" } ?? "are not"
    let advice = detected.map { "pass \($0.rawValue.quoted), or no content type" } ?? "pass the type that they have"
    throw APIError(
      .invalidArgument, "the content type is \(given.quoted), but the bytes \(found); \(advice)",
      rpc: MediaRPC.startUpload.descriptor.id)
  }
}

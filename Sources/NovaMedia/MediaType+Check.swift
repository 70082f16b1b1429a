import NovaCore

extension MediaType {
  /// Whether a content type names a detectable type that the bytes don't have. Other content types cannot be checked,
  /// and may be more specific than the detected one.
  package static func contradicts(_ given: String, _ start: [UInt8]) -> Bool {
    MediaType(contentType: given).map { $0 != MediaType(detectedIn: start) } ?? false
  }

  /// The content type of an upload: the caller's if it matches the bytes, or else the detected one.
  ///
  /// - Throws: ``APIError`` `invalidArgument` if the caller's type does not match.
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

import NovaCore

/// The caller's request for an upload.
struct UploadRequest: Sendable {
  var source: MediaSource
  var userId: String
  var contentType: String?
  var fileName: String?
  var isResumable: Bool

  /// The request that starts the upload.
  ///
  /// - Parameter checks: whether to check arguments that the server would refuse.
  /// - Throws: ``APIError`` `invalidArgument`.
  func start(_ reader: UploadReader, checks: Bool) async throws -> StartUploadRequest {
    let contentType = try MediaType.contentType(contentType, for: try await reader.start())
    let request = StartUploadRequest(
      userId: userId, fileName: fileName ?? reader.file?.shownName ?? "file", fileSize: Int64(reader.count),
      contentType: contentType)
    guard checks else { return request }
    if let (field, problem) = RequestRules.violation(in: request) {
      throw APIError(invalid: field, problem, rpc: MediaRPC.startUpload.descriptor.id)
    }
    try Self.check(fileName: request.fileName)
    return request
  }

  /// The maximum length of a name, in bytes.
  static let longestName = 255

  private static func check(fileName name: String) throws {
    let problem: String? =
      if name.isEmpty || name == "." || name == ".." || name.utf8.contains(UInt8(ascii: "/")) {
        "must be a name without a folder"
      } else if name.utf8.count > longestName {
        "must have at most \(longestName) bytes, got \(name.utf8.count)"
      } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        "must not contain control characters"
      } else {
        nil
      }
    guard let problem else { return }
    throw refusal("file_name \(problem)", reason: name.quoted, advice: "pass another fileName")
  }

  static func refusal(_ subject: String, reason: String? = nil, advice: String? = nil) -> APIError {
    APIError(.invalidArgument, subject, reason: reason, advice: advice, rpc: MediaRPC.startUpload.descriptor.id)
  }
}

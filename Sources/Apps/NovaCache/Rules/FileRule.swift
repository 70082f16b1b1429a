import NovaCore
import NovaMedia

/// Decides whether a response can replace a stored file, by the rules for downloads. Otherwise, a success response of a
/// portal or a broken server would be stored as the file.
enum FileRule {
  /// - Throws: `APIError` with code `invalidResponse` if the response cannot be a later version of the stored file.
  static func check(
    _ response: HTTPResponse, for call: CacheCall, instead stored: StoredResponse, _ now: Double
  ) throws {
    guard call.content == .file, [200, 203].contains(response.status), [200, 203].contains(stored.head.status),
      let bytes = response.body.bytes
    else { return }
    let later = StoredHead(response, requestTime: now, responseTime: now)
    let problem = LaterVersion.problem(
      with: .init(response.headers, byteCount: bytes.count),
      after: .init(stored.head.headers, byteCount: stored.body.count), isSamePlace: stored.head.isOfSameURL(as: later))
    guard let problem else { return }
    throw APIError(
      .invalidResponse, "cannot load the file", reason: problem,
      advice: "remove the stored file if the response is correct",
      rpc: MediaService.downloadBytes.descriptor.id)
  }
}

import NovaCore

/// A server's response to a chunk, with a success status.
///
/// A storage server sends an empty body, or one in its own format, so only the gateway's fields are read. A network's
/// sign-in page, or an error in a success response, confirms no bytes.
struct ChunkAnswer: Sendable {
  /// The upload, if the response contains it.
  let upload: Upload?
  /// The number of bytes that the server reports to have; nil if it reports none.
  let storedSize: Int64?

  /// - Throws: ``APIError`` if the response confirms nothing.
  init(_ response: HTTPResponse) throws {
    let body = response.body.inMemory
    // Apache's WebDAV sends a page to report that a file was created.
    if response.isHTML, response.status != 201 {
      throw Self.refusal(
        .invalidResponse, "expected the response of a storage server, got a web page, such as a network's sign-in",
        in: response)
    }
    if Self.isErrorDocument(body) {
      throw Self.refusal(
        .serverError, "the storage reports an error with status \(response.status)", in: response,
        text: String(decoding: body.prefix(1000), as: UTF8.self))
    }
    guard body.count <= 64 << 10, let json = try? JSONValue(jsonUTF8: body), case .object(let members) = json
    else {
      (upload, storedSize) = (nil, nil)
      return
    }
    // A storage server may report in its own format that it accepted the bytes.
    if OutcomeSign.isFailure(members, by: [.failure, .failedStatus]) {
      throw Self.refusal(
        .serverError, "the server reports an error with status \(response.status)", in: response,
        text: json["message"]?.stringValue ?? "")
    }
    upload = (json["upload"]?.jsonUTF8).flatMap { try? Upload(jsonUTF8: $0) }
    storedSize = UploadedSize.inAnswer(body)
  }

  /// Whether a document is an XML error, as S3 and Azure send them.
  private static func isErrorDocument(_ body: [UInt8]) -> Bool {
    var rest = body.prefix(1000)[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 <= 0x20 }
    if rest.starts(with: "<?xml".utf8) {
      rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst().drop { $0 <= 0x20 }
    }
    return rest.starts(with: "<Error".utf8)
  }

  private static func refusal(
    _ code: APIError.Code, _ problem: String, in response: HTTPResponse, text: String = ""
  ) -> APIError {
    APIError(
      code, problem, advice: "these bytes do not count as uploaded", rpc: MediaService.uploadBytes.descriptor.id,
      httpStatus: response.status, server: text.isEmpty ? nil : ServerError(message: text))
  }
}

import NovaCore

/// What a server answers to the bytes of a chunk, with a status of success.
///
/// A storage answers with nothing, or in a form of its own, so only the gateway's fields are read. The page of a network's
/// sign-in, or an error in the body of a success, confirms no byte.
struct ChunkAnswer: Sendable {
  /// The upload, if the answer has it.
  let upload: Upload?
  /// How many bytes the server says to have; nil if it does not say.
  let storedSize: Int64?

  /// - Throws: ``APIError`` for an answer that confirms nothing.
  init(_ response: HTTPResponse) throws {
    let body = response.body.inMemory
    // Apache's WebDAV reports with a page that a file was created.
    if response.isHTML, response.status != 201 {
      throw Self.refusal(
        .invalidResponse, "expected the answer of a storage, got a web page, such as a network's sign-in", in: response)
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
    // A storage may describe in its own words that it has taken the bytes.
    if OutcomeSign.isFailure(members, by: [.failure, .failedStatus]) {
      throw Self.refusal(
        .serverError, "the server reports an error with status \(response.status)", in: response,
        text: json["message"]?.stringValue ?? "")
    }
    upload = (json["upload"]?.jsonUTF8).flatMap { try? Upload(jsonUTF8: $0) }
    storedSize = UploadedSize.inAnswer(body)
  }

  /// Whether a document is an error in XML, as S3 and Azure write them.
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
      code, "\(problem); these bytes do not count as uploaded", rpc: MediaService.uploadBytes.descriptor.id,
      httpStatus: response.status, server: text.isEmpty ? nil : ServerError(message: text))
  }
}

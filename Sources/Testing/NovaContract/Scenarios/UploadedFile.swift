import NovaCore
import NovaCrypto
import NovaMedia

/// A file that a scenario uploads: the same bytes each time.
struct UploadedFile: Sendable {
  let bytes: [UInt8]

  init(count: Int) { bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

  /// The bytes after the signature of a PNG file.
  var png: [UInt8] { [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes }

  func sha256() throws -> String { Hexadecimal.encode(try SHA256.digest(of: bytes)) }
}

/// An upload that was started.
struct StartedUpload: Sendable {
  let id: String
  let url: String
}

extension ScenarioRun {
  /// Starts an upload of a file.
  func upload(_ file: UploadedFile, of user: ContractUser) async throws -> StartedUpload {
    let start = try await step("an upload is started") {
      try await user.media.startUpload(
        userId: user.id, fileName: "file.bin", fileSize: Int64(file.bytes.count),
        contentType: "application/octet-stream")
    }.expect {
      $0.upload?.userId == user.id && $0.upload?.uploadedSize == 0 && $0.upload?.status == "pending"
        && !$0.uploadUrl.isEmpty && $0.chunkSize > 0
    }.value
    return StartedUpload(id: start.upload?.id ?? "", url: start.uploadUrl)
  }

  /// Uploads a file, and returns the upload's id.
  func completedUpload(_ file: UploadedFile, of user: ContractUser) async throws -> String {
    let upload = try await upload(file, of: user)
    await step("all bytes") { try await user.send(0..<file.bytes.count, of: file, to: upload) }.expect {
      $0.status == 200
    }
    return try await step("completed") {
      try await user.media.completeUpload(uploadId: upload.id, sha256: try file.sha256())
    }.value.id
  }
}

/// The gateway's answer to bytes.
struct BytesAnswer: Sendable, ObservedAsJSON {
  let status: Int
  let body: [UInt8]

  var observed: JSONValue {
    ["status": .number(status), "body": (try? JSONValue(jsonUTF8: body)) ?? .string("not JSON")]
  }
}

extension ContractUser {
  /// Sends a part of a file.
  ///
  /// - Parameter digestOf: what the digest is made of. Default: what is sent.
  func send(
    _ range: Range<Int>, of file: UploadedFile, to upload: StartedUpload, digestOf digested: [UInt8]? = nil
  ) async throws -> BytesAnswer {
    let part = Array(file.bytes[range])
    let digest = try SHA256.digest(of: digested ?? part)
    return try await send(
      part,
      headers: [
        "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.bytes.count)",
        "Content-Digest": DigestField.text(digest),
      ], to: upload.url)
  }

  func send(_ part: [UInt8], headers: HTTPHeaders, to url: String) async throws -> BytesAnswer {
    let answer = try await client.put(
      .bytes(part), to: url, headers: headers, for: Self.uploadBytes.descriptor, options: options)
    return BytesAnswer(status: answer.status, body: answer.body.inMemory)
  }

  /// Sending bytes is not an RPC of the contract. This is its name in errors.
  private static let uploadBytes = RPC<GetUploadRequest, UpdateUploadProgressResponse>(
    service: "media", package: "nova.media_service.v1.MediaService", method: "UploadBytes", effect: .idempotent,
    http: HTTPBinding(.put, "/api/v1/media/upload/{upload_id}/bytes"), summary: "Sends the bytes of an upload.")
}

import NovaCore
import NovaCrypto
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

extension MockCaller {
  /// Starts an upload of `size` bytes by user `u`.
  func startUpload(_ size: Int, name: String = "walk.mp4", type: String = "video/mp4") throws -> StartUploadResponse {
    try call(
      MediaRPC.startUpload, StartUploadRequest(userId: "u", fileName: name, fileSize: Int64(size), contentType: type))
  }

  /// Sends bytes as they are: `range` and `digest` are headers, nil leaves one out.
  func put(
    _ bytes: [UInt8], to path: String, range: String?, digest: String?, token: String? = nil
  ) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/octet-stream"]
    headers["Content-Range"] = range
    headers["Content-Digest"] = digest
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return backend.respond(to: HTTPRequest(method: .put, url: HTTPURL(received: path), headers: headers, body: bytes))
  }

  /// Sends the bytes of `range` out of `file`, as a client should.
  func put(_ file: [UInt8], _ range: Range<Int>, to path: String) throws -> HTTPResponse {
    let chunk = Array(file[range])
    return put(
      chunk, to: path, range: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)",
      digest: try contentDigest(of: chunk))
  }

  func contentDigest(of bytes: [UInt8]) throws -> String {
    "sha-256=:\(String(decoding: Base64.encode(try SHA256.digest(of: bytes)), as: UTF8.self)):"
  }

  /// Uploads a whole file and closes the upload.
  func upload(_ file: [UInt8], name: String = "walk.mp4", type: String = "video/mp4") throws -> Upload {
    let start = try startUpload(file.count, name: name, type: type)
    let response = put(file, to: start.uploadUrl, range: nil, digest: nil)
    try #require(response.status == 200)
    return try complete(start.upload?.id ?? "", file)
  }

  func complete(_ id: String, _ file: [UInt8]) throws -> Upload {
    let digest = Hexadecimal.encode(try SHA256.digest(of: file))
    return try #require(
      try call(MediaRPC.completeUpload, CompleteUploadRequest(uploadId: id, sha256: digest)).upload)
  }

  func upload(_ id: String) throws -> Upload? {
    try call(MediaRPC.getUpload, GetUploadRequest(uploadId: id)).upload
  }

  func get(_ path: String, method: HTTPMethod = .get, headers: HTTPHeaders = [:]) -> HTTPResponse {
    backend.respond(to: HTTPRequest(method: method, url: HTTPURL(received: path), headers: headers))
  }

  /// Reads a file.
  func bytes(_ path: String, headers: HTTPHeaders = [:]) async throws -> [UInt8] {
    try await get(path, headers: headers).body.collect(upTo: 64 << 20)
  }
}

extension HTTPResponse {
  /// The upload that the answer to a chunk carries.
  var upload: Upload? { try? UpdateUploadProgressResponse(jsonUTF8: body.inMemory).upload }
}

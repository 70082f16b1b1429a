import NovaCore
import NovaTestSupport
import NovaTesting

/// Files and uploads.
extension WalkGateway {
  /// The paths of files: each user's own under one path, redirected for each user, of one user only, and for everyone.
  static let files =
    ["/files/own/1", "/files/own/2", "/files/moved/1", "/files/\(everyone)/1"] + users.map { "/files/only/\($0)" }

  /// The bytes of a file, all over which is whose it is. Every user's have the same length and entity tag.
  static func bytes(of owner: String) -> [UInt8] { Array(String(repeating: "\(owner) ", count: 300).utf8) }

  /// Whose bytes these are; more than one for a mixture.
  static func owners(of bytes: [UInt8]) -> Set<String> {
    Set(String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init))
  }

  func file(_ request: HTTPRequest) -> HTTPResponse {
    let owner = Self.owner(of: request)
    let parts = request.url.path.split(separator: "/").map(String.init)
    switch parts[1] {
    case Self.everyone: return bytes(of: Self.everyone, to: request, control: "public, max-age=100")
    case _ where owner == Self.nobody: return .status(401)
    case "own": return bytes(of: owner, to: request, control: "private, max-age=100")
    case "moved": return redirected(to: owner, control: nil, for: request)
    default:
      return parts[2] == owner ? redirected(to: owner, control: "private, no-store", for: request) : .status(403)
    }
  }

  /// What a transport returns that has followed a redirect to a storage that calls everything public.
  private func redirected(to owner: String, control: String?, for request: HTTPRequest) -> HTTPResponse {
    let target = HTTPURL(received: "\(Self.storage)/\(owner)")
    var response = bytes(of: owner, to: request, control: "public, max-age=1000")
    let headers: HTTPHeaders = control.map { ["Cache-Control": $0] } ?? [:]
    response.redirects = [HTTPRedirect(status: 302, headers: headers, target: target)]
    return response
  }

  private func bytes(of owner: String, to request: HTTPRequest, control: String) -> HTTPResponse {
    let all = Self.bytes(of: owner)
    var headers: HTTPHeaders = ["Cache-Control": control, "ETag": "\"v1\"", "Content-Type": "image/png"]
    if request.headers["If-None-Match"] == "\"v1\"" { return HTTPResponse(status: 304, headers: headers) }
    let start = request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0.isNumber }) } ?? 0
    if start > 0 { headers["Content-Range"] = "bytes \(start)-\(all.count - 1)/\(all.count)" }
    let rest = Array(all[min(start, all.count)...])
    headers["Content-Length"] = "\(rest.count)"
    let isCut = state.withLock { $0.random.one(in: 3) } && rest.count > 1
    let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(isCut ? Array(rest[..<(rest.count / 2)]) : rest)
      continuation.finish(
        throwing: isCut ? TransportError(.connectionLost, "lost", requestMayHaveLeft: true) : nil)
    }
    return HTTPResponse(
      status: start > 0 ? 206 : 200, headers: headers, body: .stream(HTTPBodyStream(chunks, length: nil)))
  }

  // MARK: Uploads

  func upload(_ request: HTTPRequest) throws -> HTTPResponse {
    let owner = Self.owner(of: request)
    if owner == Self.nobody { return .status(401) }
    let isPut = request.url.path.hasPrefix("/put/")
    let json = isPut ? JSONValue.null : try JSONValue(jsonUTF8: request.body.inMemory)
    let id = json["upload_id"]?.stringValue ?? String(request.url.path.split(separator: "/").last ?? "")
    return state.withLock { state in
      if request.url.path.hasSuffix("/start") { return start(json, by: owner, in: &state) }
      guard var upload = state.uploads[id] else { return .json(#"{"found":false}"#) }
      // Who began it for another user may have signed out since. The upload is that user's.
      if upload.owner != owner, upload.userId != owner {
        state.faults.append("upload \(id) of \(upload.owner) with the token of \(owner)")
      }
      if isPut {
        let first = request.headers["Content-Range"].flatMap { Int($0.dropFirst(6).prefix { $0.isNumber }) }
        guard first == upload.bytes.count else { return answer(id, upload, status: 409) }
        upload.bytes += request.body.inMemory
      } else if request.url.path.hasSuffix("/complete") {
        guard upload.bytes.count == upload.size else { return .status(400) }
        upload.isComplete = true
      }
      state.uploads[id] = upload
      return answer(id, upload)
    }
  }

  private func start(_ json: JSONValue, by owner: String, in state: inout State) -> HTTPResponse {
    state.number += 1
    let id = "up\(state.number)"
    let size = json["file_size"]?.integerValue ?? 0
    let upload = Upload(owner: owner, userId: json["user_id"]?.stringValue ?? "", size: size)
    state.uploads[id] = upload
    return .json(#"{"upload":{"id":"\#(id)","file_size":\#(size)},"upload_url":"/put/\#(id)","chunk_size":500}"#)
  }

  private func answer(_ id: String, _ upload: Upload, status: Int = 200) -> HTTPResponse {
    var response = HTTPResponse.json(
      #"{"found":true,"upload":{"id":"\#(id)","user_id":"\#(upload.userId)","uploaded_size":\#(upload.bytes.count),"#
        + #""file_size":\#(upload.size),"status":"\#(upload.isComplete ? "completed" : "uploading")","#
        + #""url":"/files/own/1"}}"#)
    response.status = status
    return response
  }
}

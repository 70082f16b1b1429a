import NovaCore
import NovaCrypto
import NovaMedia
import NovaTestSupport

/// A server for uploads, by the contract, with faults.
final class UploadServer: HTTPTransport {
  /// The steps that a client can request.
  enum Step: Hashable, Sendable { case start, put, progress, complete, get, other }

  /// What it does instead of responding at once.
  enum Fault: Sendable {
    /// The connection breaks before anything is done.
    case lostBefore
    /// The connection breaks after everything is done.
    case lostAfter
    /// The connection breaks when this number of the chunk's bytes are stored.
    case keeps(Int)
    /// One byte is changed on the way.
    case flipsByte
    /// The upload loses the bytes beyond this size, before anything is done.
    case loses(to: Int)
    case status(Int)
    /// A response with a status, a media type, and a body.
    case refusal(Int, type: String = "application/xml", String)
    /// Never responds.
    case hangs
    /// A storage server's response without the upload.
    case answersNothing
    /// Does everything, and responds with other values of the upload; null for none.
    case answers([String: JSONValue])
  }

  struct StoredUpload: Sendable {
    var bytes: [UInt8] = []
    var size = 0
    var status = "pending"
    var contentType = ""
    var fileName = ""
    var userId = ""
    var createdAt = 0
  }

  struct State: Sendable {
    var uploads: [String: StoredUpload] = [:]
    var keys: [String: String] = [:]
    var steps: [Step] = []
    /// The bytes of all chunks that were sent, including useless ones.
    var sentBytes = 0
    var reports: [Int] = []
    /// The keys of the requests that start uploads.
    var startKeys: [String] = []
    /// Whether responses contain everything that the server knows about an upload.
    var describesUploads = false
    /// When the next upload begins.
    var time = 1_764_583_200
  }

  /// The number of the step, counted from 1.
  typealias Script = @Sendable (_ step: Step, _ number: Int) -> Fault?

  private let chunkSize: Int
  private let url: String
  private let recognizesKeys: Bool
  private let script: Locked<Script>
  private let state = Locked(State())

  init(
    chunkSize: Int = 16 << 10, url: String = "/put/", recognizesKeys: Bool = true,
    _ script: @escaping Script = { _, _ in nil }
  ) {
    (self.chunkSize, self.url, self.recognizesKeys) = (chunkSize, url, recognizesKeys)
    self.script = Locked(script)
  }

  var current: State { state.withLock { $0 } }
  var onlyUpload: StoredUpload? { current.uploads.count == 1 ? current.uploads.first?.value : nil }
  func count(_ step: Step) -> Int { current.steps.filter { $0 == step }.count }
  func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }
  func setScript(_ script: @escaping Script) { self.script.withLock { $0 = script } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    var request = request
    request.body = try await request.body.collected(upTo: 1 << 30)
    let (response, fault) = answer(request)
    switch fault {
    case .lostBefore, .lostAfter, .keeps:
      throw TransportError(.connectionLost, "test", requestMayHaveLeft: true)
    case .hangs:
      try await Task.sleep(for: .seconds(3600))
      throw CancellationError()
    default: return response
    }
  }

  /// Responds to a request over a connection. It does not handle connection faults.
  func respond(to request: HTTPRequest) -> HTTPResponse { answer(request).response }

  private func answer(_ request: HTTPRequest) -> (response: HTTPResponse, fault: Fault?) {
    let step = Self.step(of: request)
    let script = script.withLock { $0 }
    return state.withLock { state in
      state.steps.append(step)
      if step == .put { state.sentBytes += request.body.inMemory.count }
      let number = state.steps.filter { $0 == step }.count
      let fault = script(step, number)
      var request = request
      switch fault {
      case .lostBefore, .hangs: return (HTTPResponse(status: 500), fault)
      case .status(let status): return (Self.json(status, "{}"), fault)
      case .refusal(let status, let type, let body):
        return (HTTPResponse(status: status, headers: ["Content-Type": type], body: Array(body.utf8)), fault)
      case .flipsByte:
        var bytes = request.body.inMemory
        bytes[bytes.count / 2] ^= 1
        request.body = .bytes(bytes)
      case .loses(let size):
        for id in state.uploads.keys {
          let excess = (state.uploads[id]?.bytes.count ?? 0) - size
          state.uploads[id]?.bytes.removeLast(max(0, excess))
        }
      case .keeps(let count):
        let id = Self.id(in: request.url.text)
        if Self.first(of: request) == state.uploads[id]?.bytes.count {
          state.uploads[id]?.bytes += request.body.inMemory.prefix(count)
        }
        return (HTTPResponse(status: 500), fault)
      case .answersNothing:
        _ = process(request, at: step, in: &state)
        return (Self.json(200, ""), fault)
      case .answers(let values): return (process(request, at: step, in: &state).with(values), fault)
      case .lostAfter, nil: break
      }
      return (process(request, at: step, in: &state), fault)
    }
  }

  private func process(_ request: HTTPRequest, at step: Step, in state: inout State) -> HTTPResponse {
    let json = (try? JSONValue(jsonUTF8: request.body.inMemory)) ?? .null
    let query = request.url.text.split(separator: "upload_id=").dropFirst().first.map(String.init)
    let id = json["upload_id"]?.stringValue ?? query ?? Self.id(in: request.url.text)
    switch step {
    case .start: return start(request, json, in: &state)
    case .put: return put(request, to: id, in: &state)
    case .progress:
      state.reports.append(Int(json["uploaded_size"]?.stringValue ?? "") ?? json["uploaded_size"]?.integerValue ?? -1)
      return Self.upload(id, state)
    case .complete:
      guard let upload = state.uploads[id], upload.bytes.count == upload.size,
        (try? Hexadecimal.encode(SHA256.digest(of: upload.bytes))) == json["sha256"]?.stringValue
      else { return Self.json(400, #"{"code":9,"message":"digest"}"#) }
      state.uploads[id]?.status = "completed"
      return Self.upload(id, state)
    case .get: return Self.upload(id, state)
    case .other: return Self.record(json, request)
    }
  }

  private func start(_ request: HTTPRequest, _ json: JSONValue, in state: inout State) -> HTTPResponse {
    state.startKeys.append(request.headers["Idempotency-Key"] ?? "")
    let key = recognizesKeys ? request.headers["Idempotency-Key"] : nil
    let id = key.flatMap { state.keys[$0] } ?? "up\(state.uploads.count + 1)"
    if state.uploads[id] == nil {
      state.uploads[id] = StoredUpload(
        size: json["file_size"]?.integerValue ?? Int(json["file_size"]?.stringValue ?? "") ?? 0,
        contentType: json["content_type"]?.stringValue ?? "", fileName: json["file_name"]?.stringValue ?? "",
        userId: json["user_id"]?.stringValue ?? "", createdAt: state.time)
      if let key { state.keys[key] = id }
    }
    let target = url.split(separator: "?", maxSplits: 1)
    let secret = target.count > 1 ? "?\(target[1])" : ""
    return Self.json(
      200,
      #"{"upload":{"id":"\#(id)"\#(Self.description(id, state))},"upload_url":"\#(target[0])\#(id)\#(secret)","#
        + #""chunk_size":\#(chunkSize)}"#)
  }

  private func put(_ request: HTTPRequest, to id: String, in state: inout State) -> HTTPResponse {
    guard let upload = state.uploads[id] else { return Self.json(404, "{}") }
    let bytes = request.body.inMemory
    guard Self.first(of: request) == upload.bytes.count else { return Self.upload(id, state, status: 409) }
    guard upload.bytes.count + bytes.count <= upload.size else { return Self.json(413, "{}") }
    let digest = (try? SHA256.digest(of: bytes)).map { String(decoding: Base64.encode($0), as: UTF8.self) } ?? ""
    guard request.headers["Content-Digest"] == "sha-256=:\(digest):" else { return Self.json(422, "{}") }
    state.uploads[id]?.bytes += bytes
    state.uploads[id]?.status = "uploading"
    return Self.upload(id, state)
  }

  private static func upload(_ id: String, _ state: State, status: Int = 200) -> HTTPResponse {
    guard let upload = state.uploads[id] else { return json(200, #"{"found":false}"#) }
    let url = upload.status == "completed" ? #","url":"/media/\#(id)""# : ""
    return json(
      status,
      #"{"found":true,"upload":{"id":"\#(id)","uploaded_size":\#(upload.bytes.count),"file_size":\#(upload.size),"#
        + #""status":"\#(upload.status)"\#(url)\#(description(id, state))}}"#)
  }

  /// More members of an upload.
  private static func description(_ id: String, _ state: State) -> String {
    guard state.describesUploads, let upload = state.uploads[id] else { return "" }
    return #","user_id":"\#(upload.userId)","file_name":"\#(upload.fileName)","created_at":\#(upload.createdAt),"#
      + #""content_type":"\#(upload.contentType)""#
  }

  /// The requested record.
  private static func record(_ json: JSONValue, _ request: HTTPRequest) -> HTTPResponse {
    let kind = request.url.text.hasSuffix("/video/create") ? "video" : "reel"
    let members = [JSONValue.Member(name: "id", value: .string(kind))] + (json.memberList ?? [])
    return self.json(200, String(decoding: JSONValue.members((kind, .object(members))).jsonUTF8, as: UTF8.self))
  }

  private static func json(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  private static func id(in url: String) -> String {
    String(url.split(separator: "?")[0].split(separator: "/").last ?? "")
  }

  private static func first(of request: HTTPRequest) -> Int {
    Int(request.headers["Content-Range"]?.dropFirst(6).prefix { $0.isNumber } ?? "") ?? -1
  }

  private static func step(of request: HTTPRequest) -> Step {
    if request.method == .put { return .put }
    let path = request.url.text.split(separator: "?")[0]
    if path.hasSuffix("/upload/start") { return .start }
    if path.hasSuffix("/upload/progress") { return .progress }
    if path.hasSuffix("/upload/complete") { return .complete }
    return path.hasSuffix("/upload") ? .get : .other
  }
}

extension HTTPResponse {
  /// The same response with other values of its upload.
  fileprivate func with(_ values: [String: JSONValue]) -> HTTPResponse {
    guard case .object(let answer)? = try? JSONValue(jsonUTF8: body.inMemory) else { return self }
    let changed = answer.map { member in
      guard member.name == "upload", case .object(let old) = member.value else { return member }
      let kept = old.filter { values[$0.name] == nil }
      let new = values.filter { $0.value != .null }.map { JSONValue.Member(name: $0.key, value: $0.value) }
      return JSONValue.Member(name: "upload", value: .object(kept + new))
    }
    var response = self
    response.body = .bytes(JSONValue.object(changed).jsonUTF8)
    return response
  }
}

extension UploadServer {
  /// A media service for this server, with retries and a clock whose waits take no time.
  func media(
    state folder: TemporaryFolder? = nil, attempts: Int = 3, baseURL: String = "http://localhost:8080",
    options: CallOptions = CallOptions(), clock: any CallClock = ManualClock(autoAdvances: true)
  ) throws -> MediaService {
    let client = try APIClient.test(
      self, baseURL: baseURL,
      overrides: ConfigurationOverrides(stateDirectory: folder.map { "\($0.path)/state" }), token: nil,
      resilience: Resilience(retry: .standard(attempts: attempts, delay: .milliseconds(1)), budget: nil, breaker: nil),
      clock: clock)
    return MediaService(client: client, options: options)
  }
}

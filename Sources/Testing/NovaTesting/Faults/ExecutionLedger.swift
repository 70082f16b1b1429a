import NovaCore

/// Executes requests and counts the executions.
final class ExecutionLedger: Sendable {
  private struct ID: Hashable {
    let path: String
    let key: String?
  }

  private let recognizesKeys: Bool
  private let handler: FaultServer.Handler
  private let state = Locked(State())

  private struct State {
    var done: [FaultServer.Execution] = []
    var indices: [ID: Int] = [:]
    var answers: [ID: HTTPResponse] = [:]

    mutating func count(_ id: ID) {
      let index = indices[id] ?? done.count
      indices[id] = index
      if index == done.count { done.append(.init(path: id.path, idempotencyKey: id.key, count: 0)) }
      done[index].count += 1
    }
  }

  init(recognizesKeys: Bool, _ handler: @escaping FaultServer.Handler) {
    self.recognizesKeys = recognizesKeys
    self.handler = handler
  }

  var executions: [FaultServer.Execution] { state.withLock { $0.done } }

  /// Executes a request. The lock is held while the handler runs, so that a key is never executed twice concurrently.
  func execute(_ request: HTTPRequest) -> HTTPResponse {
    let id = ID(path: request.path, key: request.headers["Idempotency-Key"])
    return state.withLock { state in
      if var known = state.answers[id] {
        known.headers["Idempotency-Replayed"] = "true"
        return known
      }
      let answer = handler(request).inMemory
      // A handler that fails, or recognizes the key itself, has executed nothing.
      if answer.isSuccess, answer.headers["Idempotency-Replayed"] != "true" { state.count(id) }
      if recognizesKeys, id.key != nil, answer.isSuccess { state.answers[id] = answer }
      return answer
    }
  }
}

extension HTTPResponse {
  /// The response with the bytes of its file, for faults that cut and change them; 503 if they cannot be read.
  fileprivate var inMemory: HTTPResponse {
    guard case .file(let region) = body else { return self }
    var response = self
    var bytes: [UInt8] = []
    do throws(HTTPBodyError) {
      let reader = try HTTPFileReader(region)
      while bytes.count < region.length {
        bytes += try reader.read(at: bytes.count, count: region.length - bytes.count)
      }
    } catch {
      return .json(503, "{}")
    }
    response.body = .bytes(bytes)
    return response
  }
}

extension HTTPRequest {
  /// Creates a request from its raw form; the URL is the target of the request line.
  init(_ raw: RawRequest) {
    let words = raw.requestLine.split(separator: " ")
    var headers = HTTPHeaders()
    for line in raw.headerLines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      headers.append(name: String(parts[0]), value: String(parts[1]).trimmed())
    }
    self.init(
      method: HTTPMethod(rawValue: words.first.map(String.init) ?? ""),
      url: HTTPURL(received: words.dropFirst().first.map(String.init) ?? "/"),
      headers: headers, body: raw.body)
  }

  /// The target without its query.
  var path: String { url.path }
}

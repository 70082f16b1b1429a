internal import Foundation
import NovaCore

/// Does what requests ask for, and keeps count.
final class ExecutionLedger: @unchecked Sendable {
  // Sendable because everything below `lock` is only touched under it.
  private struct ID: Hashable {
    let path: String
    let key: String?
  }

  private let recognisesKeys: Bool
  private let handler: FaultServer.Handler
  private let lock = NSLock()
  private var done: [FaultServer.Execution] = []
  private var indices: [ID: Int] = [:]
  private var answers: [ID: HTTPResponse] = [:]

  init(recognisesKeys: Bool, _ handler: @escaping FaultServer.Handler) {
    self.recognisesKeys = recognisesKeys
    self.handler = handler
  }

  var executions: [FaultServer.Execution] { lock.withLock { done } }

  /// The lock is held while the handler runs, so that one key is never executed twice side by side.
  func execute(_ request: HTTPRequest) -> HTTPResponse {
    let id = ID(path: request.path, key: request.headers["Idempotency-Key"])
    return lock.withLock {
      if var known = answers[id] {
        known.headers["Idempotency-Replayed"] = "true"
        return known
      }
      let answer = handler(request)
      // A handler that refuses, or knows the key itself, has done nothing.
      if answer.isSuccess, answer.headers["Idempotency-Replayed"] != "true" { count(id) }
      if recognisesKeys, id.key != nil, answer.isSuccess { answers[id] = answer }
      return answer
    }
  }

  private func count(_ id: ID) {
    let index = indices[id] ?? done.count
    indices[id] = index
    if index == done.count { done.append(.init(path: id.path, idempotencyKey: id.key, count: 0)) }
    done[index].count += 1
  }
}

extension HTTPRequest {
  /// What stood on the wire; the URL is the request line's target.
  init(_ raw: RawRequest) {
    let words = raw.requestLine.split(separator: " ")
    var headers = HTTPHeaders()
    for line in raw.headerLines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      headers.append(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
    self.init(
      method: HTTPMethod(rawValue: words.first.map(String.init) ?? ""),
      url: words.dropFirst().first.map(String.init) ?? "/",
      headers: headers, body: raw.body)
  }

  /// The target without its query.
  var path: String { String(url.prefix { $0 != "?" }) }
}

public import NovaCore

/// Answers from a script and remembers the requests.
public final class RecordingTransport: HTTPTransport {
  /// What to do with the request of this number, counted from 0.
  public typealias Script = @Sendable (_ number: Int, _ request: HTTPRequest) async throws -> HTTPResponse

  private let recorded = Locked<[HTTPRequest]>([])
  private let script: Script

  public init(_ script: @escaping Script) { self.script = script }

  /// Always the same answer.
  public convenience init(
    status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"], _ body: String
  ) {
    self.init { _, _ in HTTPResponse(status: status, headers: headers, body: Array(body.utf8)) }
  }

  /// Every request so far.
  public var requests: [HTTPRequest] { recorded.withLock { $0 } }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let number = recorded.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    return try await script(number, request)
  }
}

import NovaCore

/// How a request of a load ended.
enum LoadOutcome: Sendable, Equatable {
  case success
  case failure(LoadFailure)
  /// It had not ended when the load was stopped.
  case unfinished
}

/// A kind of failure. Requests that failed in the same way are counted together.
struct LoadFailure: Sendable, Hashable {
  /// The kind: `HTTP 503`, `UNAVAILABLE` over gRPC, `connectionRefused`.
  let kind: String
  /// What happened, for the first request that failed in this way. It contains no text of the server.
  let message: String

  init(kind: String, message: String) { (self.kind, self.message) = (kind, message) }

  /// - Parameters:
  ///   - error: the error of a call.
  ///   - overGRPC: whether the call was made over gRPC, whose responses have no HTTP status of their own.
  init(_ error: APIError, overGRPC: Bool = false) {
    kind = Self.kind(of: error, overGRPC: overGRPC)
    message = error.message
  }

  private static func kind(of error: APIError, overGRPC: Bool) -> String {
    if let transport = error.transport { return transport.kind.rawValue }
    // A response with a success status that violates the contract.
    if error.decoding != nil { return error.code.rawValue }
    if overGRPC, let status = error.grpcStatus { return status.description }
    guard let status = error.httpStatus, !(200..<300).contains(status) else { return error.code.rawValue }
    return "HTTP \(status)"
  }

  static func == (left: LoadFailure, right: LoadFailure) -> Bool { left.kind == right.kind }

  func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

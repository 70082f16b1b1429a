public import NovaCore

extension FaultServer {
  /// The behavior of the server for one request.
  public struct Step: Sendable {
    enum Action: Sendable {
      case fault(Fault)
      case answer(HTTPResponse)
      case healthy
    }

    let action: Action
    let executes: Bool

    /// The normal response of the server.
    public static let healthy = Step(action: .healthy, executes: true)

    /// A fault.
    ///
    /// - Parameter executes: whether the server executes the request before it fails. Default: ``Fault/executes``. A
    ///   fault that occurs before a request is read never executes anything.
    public static func fault(_ fault: Fault, executes: Bool? = nil) -> Step {
      Step(action: .fault(fault), executes: executes ?? fault.executes)
    }

    /// A fixed response.
    ///
    /// - Parameter executes: whether the server executes the request. Default: whether the status is a success.
    public static func answer(
      status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"], body: String = "{}",
      executes: Bool? = nil
    ) -> Step {
      let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
      return Step(action: .answer(response), executes: executes ?? response.isSuccess)
    }

    var fault: Fault? { if case .fault(let fault) = action { fault } else { nil } }

    var refuses: Bool { fault?.moment == .never }
    var needsTLS: Bool { fault?.needsTLS == true }
    var strikesConnections: Bool { fault?.moment == .connected }
  }

  /// A request that the server executed.
  public struct Execution: Sendable, Hashable {
    /// The path without its query.
    public let path: String
    /// The `Idempotency-Key` of the request.
    public let idempotencyKey: String?
    /// The number of executions.
    public internal(set) var count: Int
  }
}

extension [FaultServer.Step] {
  /// The error responses of gateways for failing servers, one after the other.
  public static let serverErrors: [FaultServer.Step] = [
    .fault(.internalServerError), .fault(.badGateway), .fault(.serviceUnavailable), .fault(.gatewayTimeout),
    .fault(.serviceUnavailableRetryAfter),
  ]
}

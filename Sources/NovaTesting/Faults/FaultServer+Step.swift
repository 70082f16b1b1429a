public import NovaCore

extension FaultServer {
  /// What one request gets.
  public struct Step: Sendable {
    enum Action: Sendable {
      case fault(Fault)
      case answer(HTTPResponse)
      case healthy
    }

    let action: Action
    let executes: Bool

    /// The server's own answer.
    public static let healthy = Step(action: .healthy, executes: true)

    /// A fault.
    ///
    /// - Parameter executes: whether the server does what the request asks for before it fails. Default: see
    ///   ``Fault/executes``. A fault that strikes before a request is read does nothing in any case.
    public static func fault(_ fault: Fault, executes: Bool? = nil) -> Step {
      Step(action: .fault(fault), executes: executes ?? fault.executes)
    }

    /// A given answer.
    ///
    /// - Parameter executes: whether the server does what the request asks for. Default: if the status says success.
    public static func answer(
      status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"], body: String = "{}",
      executes: Bool? = nil
    ) -> Step {
      let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
      return Step(action: .answer(response), executes: executes ?? response.isSuccess)
    }

    var fault: Fault? {
      guard case .fault(let fault) = action else { return nil }
      return fault
    }

    var refuses: Bool { fault?.moment == .never }
    var needsTLS: Bool { fault?.needsTLS == true }
    var strikesConnections: Bool { fault?.moment == .connected }
  }

  /// Something that the server did.
  public struct Execution: Sendable, Hashable {
    /// The path without its query.
    public let path: String
    /// The `Idempotency-Key` that came with it.
    public let idempotencyKey: String?
    /// How often it was done.
    public internal(set) var count: Int
  }
}

extension [FaultServer.Step] {
  /// The ways in which gateways say that a server is not well, one after the other.
  public static let serverErrors: [FaultServer.Step] = [
    .fault(.internalServerError), .fault(.badGateway), .fault(.serviceUnavailable), .fault(.gatewayTimeout),
    .fault(.serviceUnavailableRetryAfter),
  ]
}

/// A loopback port that refuses connections for as long as this value lives: nobody else can get it.
public struct ClosedPort: Sendable {
  private let socket: RawSocket
  /// The port on 127.0.0.1.
  public let port: Int

  /// Takes a port.
  public init() throws {
    socket = try RawSocket.bound()
    port = try socket.localPort()
  }

  /// The origin, such as `http://127.0.0.1:40001`.
  public var url: String { "http://127.0.0.1:\(port)" }
}

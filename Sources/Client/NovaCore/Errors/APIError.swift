/// The failure of a call, with its code, its RPC and request id, the statuses of the response, and every attempt.
///
/// Every failed call throws one. Match its code with `catch`:
///
/// ```swift
/// do {
///   try await nova.graph.followUser(followerId: me, followeeId: other)
/// } catch APIError.permissionDenied {
///   print("One of you has blocked the other.")
/// } catch let error as APIError {
///   print(error)  // graph.CreateFollow: … (HTTP 503, request 5f0c…)
/// }
/// ```
///
/// No property contains a token, a password, or a body, and only ``server`` contains text that a server chose, so
/// `description` is safe to log.
public struct APIError: NovaError {
  /// What kind of failure it is.
  public var code: Code
  /// What happened, what was expected and what to do next, in a sentence.
  public var message: String
  /// The RPC, for example `graph.GetFollowers`.
  public var rpc: String?
  /// The id under which the call went out as `X-Request-ID`.
  public var requestID: String?
  /// The status of the response, if there was one.
  public var httpStatus: Int?
  /// The gRPC status, if the server named one.
  public var grpcStatus: GRPCStatus?
  /// The server's own error, if it sent one.
  public var server: ServerError?
  /// Why there is no response, if the network failed.
  public var transport: TransportError?
  /// Where the response does not match the contract, if that is the failure.
  public var decoding: ProtoJSONError?
  /// The created or changed record that lacks a value that was sent, if the code is `unconfirmed`.
  public internal(set) var unconfirmedRecord: UnconfirmedRecord?
  /// The contract's form in which the server reported the failure; nil for responses of proxies or other servers.
  package var form: Form?
  /// Whether the response is not one of a Nova gateway: HTML, a redirect, or another type than JSON.
  package var isFromAnotherServer = false
  /// Whether the response is a web page, as proxies and firewalls send it.
  package var isPage = false
  /// Whether the response describes the failure as FastAPI or problem details (RFC 9457) do, which have no ``form``.
  var isProblem = false
  /// Whether this is the failure of a session refresh that the call waited for. It says nothing about the call itself,
  /// which the gateway did not carry out.
  package var isOfRefresh = false
  /// Whether the server reports that a request with the same idempotency key is still being carried out.
  package var isKeyInProgress = false
  /// How long to wait before the call is worth another try, counted from the moment the error is thrown; nil if
  /// nothing says. Never negative, and at most 366 days.
  ///
  /// It comes from the last response: its `Retry-After` (seconds or a date), or else the `google.rpc.RetryInfo` in its
  /// body. If the ``CircuitBreaker`` refused the call, it is the rest of the breaker's pause. The call's own retries
  /// respect it as well, so an error that has one was stopped by the call's deadline or its ``RetryPolicy``.
  public var retryAfter: Duration?
  /// The time of the server's clock when it responded, in Unix seconds, if the response reports it.
  package var serverTime: Int64?
  /// How many bytes of an upload the server has, if a 409 reports that.
  package var uploadedSize: Int64?
  /// Every attempt, in order; see ``report``.
  public var attempts: [CallAttempt]
  /// How long the call took, all attempts and waits together; nil for an error without a call.
  public internal(set) var duration: Duration?

  /// Creates an error.
  // Not inlined, nor is the next: storing so many values at each place where an error is made is much code.
  @inline(never)
  public init(
    _ code: Code,
    _ message: String,
    rpc: String? = nil,
    requestID: String? = nil,
    httpStatus: Int? = nil,
    grpcStatus: GRPCStatus? = nil,
    server: ServerError? = nil,
    transport: TransportError? = nil,
    decoding: ProtoJSONError? = nil,
    attempts: [CallAttempt] = []
  ) {
    self.code = code
    self.message = message
    self.rpc = rpc
    self.requestID = requestID
    self.httpStatus = httpStatus
    self.grpcStatus = grpcStatus
    self.server = server
    self.transport = transport
    self.decoding = decoding
    self.attempts = attempts
  }

  /// Creates an error with no more than most have.
  @inline(never)
  package init(_ code: Code, _ message: String) {
    self.init(code, message, rpc: nil)
  }
}

/// A record that a server created or changed, and that differs from what was sent.
public struct UnconfirmedRecord: Sendable, Equatable {
  /// The ID that the server assigned, for changing or deleting the record; nil if it has none.
  public var id: String?
  /// The fields whose values are missing or different, by their names in `Proto/`: `content_type`.
  public var fields: [String]

  /// Creates one.
  public init(id: String?, fields: [String]) {
    self.id = id
    self.fields = fields
  }
}

extension APIError {
  /// A form in which the contract's services report failures.
  package enum Form: Sendable {
    /// grpc-gateway's `{"code":5,"message":"…"}`.
    case grpcGateway
    /// `grpc-status` and `grpc-message` in the header fields.
    case grpcFields
    /// `{"error":{"code":"…","message":"…"}}`.
    case nova
  }
}

/// A server's own description of a failure.
public struct ServerError: Sendable, Equatable {
  /// The server's own code, for example `USER_NOT_FOUND`; empty if it named none.
  public var code: String
  /// The server's message, meant for people; may be anything.
  public var message: String
  /// More, by name.
  public var metadata: [String: String]

  /// Creates a server's error.
  public init(code: String = "", message: String = "", metadata: [String: String] = [:]) {
    self.code = code
    self.message = message
    self.metadata = metadata
  }
}

extension APIError {
  /// The call, the message, and in brackets what helps to find it again: status, gRPC status, server's code, request id.
  public var description: String {
    var details: [String] = []
    if let httpStatus { details.append("HTTP \(httpStatus)") }
    if let grpcStatus { details.append(grpcStatus.description) }
    if let code = server?.code, Self.isCode(code), code != grpcStatus?.description { details.append(code) }
    if let requestID { details.append("request \(requestID.printable(to: 80))") }
    let suffix = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return "\(rpc.map { "\($0): " } ?? "")\(message)\(suffix)"
  }

  /// Servers name codes like `USER_NOT_FOUND`; anything else is text and not for logs.
  private static func isCode(_ text: String) -> Bool {
    text.consists(of: .serverCode, count: 1...64)
  }
}

extension ASCIISet {
  fileprivate static let serverCode = uppercase + digits + ASCIISet("_")
}

// One error for a cancelled task, whatever it was waiting for: a call, a list, a session.
extension APIError {
  /// The error of what a cancelled task was waiting for.
  package static let ofCancellation = APIError(.cancelled, "the call was cancelled")

  /// The error that callers see: ``ofCancellation`` for a `CancellationError`, and every other error as it is.
  package static func seenByCallers(_ error: any Error) -> any Error {
    error is CancellationError ? ofCancellation : error
  }
}

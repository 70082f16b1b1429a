/// The failure of a call: its code, its RPC and request id, the statuses of the response, and every attempt.
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
/// `description` is safe to log. docs/errors.md lists the codes, and when each is thrown.
public struct APIError: NovaError {
  /// What kind of failure it is.
  public var code: Code
  /// The facts from which ``message`` is made.
  package var text: ErrorText
  /// The RPC, for example `graph.GetFollowers`.
  public var rpc: String?
  /// The call's id, which was sent as `X-Request-ID`.
  public var requestID: String?
  /// The status of the response, if there was one. Over gRPC, the status with which a gateway answers for ``grpcStatus``.
  public var httpStatus: Int?
  /// The gRPC status, if the server named one.
  public var grpcStatus: GRPCStatus?
  private var boxedExtras = ExtraBox.empty
  /// The contract's form in which the server reported the failure; nil for responses of proxies or other servers.
  package var form: Form?
  /// Whether the response is not one of a Nova gateway: HTML, a redirect, or another type than JSON.
  package var isFromAnotherServer = false
  /// Whether the call went over gRPC, so that ``httpStatus`` is what a gateway would have answered.
  package var isOverGRPC = false
  /// Whether the response is a web page, as proxies and firewalls send it.
  package var isPage = false
  /// Whether the response describes the failure as FastAPI or problem details (RFC 9457) do, which have no ``form``.
  var isProblem = false
  /// Whether this is the failure of a session refresh that the call waited for. It reports nothing about the call itself,
  /// which the gateway did not run.
  package var isOfRefresh = false
  /// Whether the server reports that a request with the same idempotency key is still in progress.
  package var isKeyInProgress = false
  /// How long to wait before the call is worth another try, counted from the moment the error is thrown; nil if
  /// unknown. Never negative, and at most 366 days.
  ///
  /// It comes from the last response: its `Retry-After` (seconds or a date), or else the `google.rpc.RetryInfo` in its
  /// body. If the ``CircuitBreaker`` refused the call, it is the rest of the breaker's pause. The call's own retries
  /// respect it as well, so a call that fails with one was stopped by its deadline or its ``RetryPolicy``.
  public var retryAfter: Duration?
  /// The time of the server's clock when it responded, in Unix seconds, if the response reports it.
  package var serverTime: Int64?
  /// How many bytes of an upload the server has, if a 409 reports that.
  package var uploadedSize: Int64?
  /// Every attempt, in order; see ``report``.
  public var attempts: [CallAttempt]
  /// How long the call took, including all attempts and waits; nil for an error without a call.
  public internal(set) var duration: Duration?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - subject: what failed, in lower case: `not found`.
  ///   - reason: why it failed.
  ///   - sent: how much of the call was sent.
  ///   - advice: what to do next.
  @inline(never)
  public init(
    _ code: Code,
    _ subject: String,
    reason: String? = nil,
    sent: SentExtent = .maybe,
    advice: String? = nil,
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
    text = ErrorText(subject, reason: reason, sent: sent, advice: advice)
    self.rpc = rpc
    self.requestID = requestID
    self.httpStatus = httpStatus
    self.grpcStatus = grpcStatus
    self.attempts = attempts
    if server == nil, transport == nil, decoding == nil { return }
    extras = Extras(server: server, transport: transport, decoding: decoding)
  }

  /// Creates an error from facts that exist already.
  @inline(never)
  package init(
    _ code: Code, _ text: ErrorText, rpc: String? = nil, httpStatus: Int? = nil, grpcStatus: GRPCStatus? = nil,
    server: ServerError? = nil, transport: TransportError? = nil
  ) {
    self.init(code, "", rpc: rpc, httpStatus: httpStatus, grpcStatus: grpcStatus, server: server, transport: transport)
    self.text = text
  }

  /// Creates an error with only a subject, as most have.
  @inline(never)
  package init(_ code: Code, _ subject: String) {
    self.init(code, subject, rpc: nil)
  }

  /// Creates the error for a request that has an invalid value in a field.
  @inline(never)
  package init(invalid field: FieldDescriptor, _ problem: String, rpc: String? = nil) {
    self.init(.invalidArgument, "\(field.jsonName) \(problem)", rpc: rpc)
    invalidField = InvalidField(name: field.name, problem: problem)
  }

  /// Creates the error for a call without a response.
  @inline(never)
  init(_ error: TransportError) {
    self.init(.of(error.kind), error.text, transport: error)
    retryAfter = error.retryAfter
  }
}

// What few errors have.
extension APIError {
  private struct Extras: Sendable {
    var server: ServerError?
    var transport: TransportError?
    var decoding: ProtoJSONError?
    var unconfirmedRecord: UnconfirmedRecord?
    var invalidField: InvalidField?
    var foreignContent: String?
  }

  /// One reference in place of all of it: many types contain an error, and the code that copies them was larger.
  private final class ExtraBox: Sendable {
    static let empty = ExtraBox(Extras())
    let extras: Extras

    init(_ extras: Extras) { self.extras = extras }
  }

  private var extras: Extras {
    get { boxedExtras.extras }
    @inline(never) set { boxedExtras = ExtraBox(newValue) }
  }

  /// The server's own error, if it sent one.
  public var server: ServerError? {
    get { boxedExtras.extras.server }
    set { extras.server = newValue }
  }

  /// Why there is no response, if the network failed.
  public var transport: TransportError? {
    get { boxedExtras.extras.transport }
    set { extras.transport = newValue }
  }

  /// Where the response does not match the contract, if that is the failure.
  public var decoding: ProtoJSONError? {
    get { boxedExtras.extras.decoding }
    set { extras.decoding = newValue }
  }

  /// The created or changed record that lacks a value that was sent, if the code is `unconfirmed`.
  public internal(set) var unconfirmedRecord: UnconfirmedRecord? {
    get { boxedExtras.extras.unconfirmedRecord }
    set { extras.unconfirmedRecord = newValue }
  }

  /// The field with an invalid value, if the SDK refused the request because of it.
  package private(set) var invalidField: InvalidField? {
    get { boxedExtras.extras.invalidField }
    set { extras.invalidField = newValue }
  }

  /// What another server sent in place of the gateway's response, if the ``reason`` reports that: `HTML`.
  package private(set) var foreignContent: String? {
    get { boxedExtras.extras.foreignContent }
    set { extras.foreignContent = newValue }
  }
}

// The sentence, and the facts that it is made from.
extension APIError {
  /// What failed, why, whether nothing was sent, and what to do next: `<subject>: <reason>; <advice>`.
  ///
  /// It is made from ``subject``, ``reason``, ``sent``, and ``advice``.
  public var message: String { text.sentence }

  /// What failed, in lower case: `not found`.
  public var subject: String {
    get { text.subject }
    set { text.subject = newValue }
  }

  /// Why it failed; nil if that is unknown, or follows from the subject.
  public var reason: String? {
    get { text.reason }
    set { text.reason = newValue }
  }

  /// How much of the call was sent, as the message reports it. Whether a call can be repeated is in
  /// `transport?.requestMayHaveLeft`.
  public var sent: SentExtent {
    get { text.sent }
    set { text.sent = newValue }
  }

  /// What to do next; nil if there is nothing to advise.
  public var advice: String? {
    get { text.advice }
    set { text.advice = newValue }
  }

  /// Replaces all facts of the sentence.
  @inline(never)
  package mutating func restate(_ subject: String, reason: String? = nil, advice: String? = nil) {
    text = ErrorText(subject, reason: reason, advice: advice)
    (invalidField, foreignContent) = (nil, nil)
  }

  /// Marks the response as one of another server than a Nova gateway.
  ///
  /// - Parameter content: what the server sent: `HTML`.
  mutating func setForeignContent(_ content: String) {
    reason = "the server answered with \(content)"
    foreignContent = content
    isFromAnotherServer = true
  }

  /// Applies `change` to each text that is made here, and not by the server.
  mutating func mapTexts(_ change: (String) -> String) {
    text = text.map(change)
    invalidField = invalidField.map { InvalidField(name: $0.name, problem: change($0.problem)) }
  }
}

/// A field of a request with an invalid value.
package struct InvalidField: Sendable {
  /// The field's name in `Proto/`: `user_id`.
  package let name: String
  /// What is wrong with the value: `must not be empty`.
  package let problem: String
}

/// A record that a server created or changed, and that differs from the one that was sent.
public struct UnconfirmedRecord: Sendable, Equatable {
  /// The ID that the server assigned, for changing or deleting the record; nil if it has none.
  public var id: String?
  /// The fields whose values are missing or different, by their names in `Proto/`: `content_type`.
  public var fields: [String]

  /// Creates a record.
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

extension APIError {
  /// The call, the message, and in brackets what helps to find the call again.
  public var description: String {
    let suffix = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
    return "\(rpc.map { "\($0): " } ?? "")\(message)\(suffix)"
  }

  /// What helps to find the call again: status, gRPC status, the server's code, and request id.
  package var details: [String] {
    var details: [String] = []
    if let httpStatus, !isOverGRPC { details.append("HTTP \(httpStatus)") }
    if let grpcStatus { details.append(grpcStatus.description) }
    if let code = server?.code, Self.isCode(code), code != grpcStatus?.description { details.append(code) }
    if let requestID { details.append("request \(requestID.printable(to: 80))") }
    return details
  }

  /// Codes of servers look like `USER_NOT_FOUND`; any other text does not belong in logs.
  private static func isCode(_ text: String) -> Bool {
    text.consists(of: .serverCode, count: 1...64)
  }
}

extension ASCIISet {
  fileprivate static let serverCode = uppercase + digits + ASCIISet("_")
}

extension APIError {
  /// The error of a cancelled task: of a call, a list, or a session.
  package static let ofCancellation = APIError(.cancelled, "the call was cancelled")

  /// The error that callers see: ``ofCancellation`` for a `CancellationError`, and every other error as it is.
  package static func seenByCallers(_ error: any Error) -> any Error {
    error is CancellationError ? ofCancellation : error
  }
}

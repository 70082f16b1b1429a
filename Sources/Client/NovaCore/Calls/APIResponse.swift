/// A call's result with its status, headers, and report.
public struct APIResponse<Value: Sendable>: Sendable {
  /// The message.
  public var value: Value
  /// The status, 200…299.
  public var status: Int
  /// The response's headers.
  public var headers: HTTPHeaders
  /// The call's attempts and duration.
  public var report: CallReport
  /// Where the message came from. Without a ``CallStore``, always the gateway.
  public var source = ResponseSource.network
  /// The redirects that the transport followed, see ``HTTPResponse/redirects``.
  package var redirects: [HTTPRedirect] {
    get { followed ?? [] }
    set { followed = newValue.isEmpty ? nil : newValue }
  }
  // As in HTTPResponse.
  private var followed: [HTTPRedirect]?
  /// Whether no body arrived, so that the message's fields state nothing: a count of 0 is only a default.
  package var isBodyEmpty = false
  /// The request; nil if there was no call.
  var sent: SentRequest?

  /// The id under which the call went out as `X-Request-ID`.
  public var requestID: String { report.requestID }
  /// Every attempt, in order; the last one brought the result.
  public var attempts: [CallAttempt] { report.attempts }

  /// Creates a response.
  public init(value: Value, status: Int = 200, headers: HTTPHeaders = [:], report: CallReport) {
    self.value = value
    self.status = status
    self.headers = headers
    self.report = report
  }
}

extension APIResponse<Void> {
  /// The same response with the value that was decoded from it; every call that succeeds has decoded one.
  func holding<Decoded>(_ value: Decoded?) -> APIResponse<Decoded> {
    guard let value else { preconditionFailure("the response was not decoded") }
    return with(value)
  }
}

extension APIResponse {
  /// The same response with another value.
  package func with<Other>(_ value: Other) -> APIResponse<Other> {
    var response = APIResponse<Other>(value: value, status: status, headers: headers, report: report)
    response.source = source
    response.redirects = redirects
    response.isBodyEmpty = isBodyEmpty
    response.sent = sent
    return response
  }

  /// An error that quotes this response, which may quote its request, without the request's secrets.
  package func masked(_ error: APIError, of rpc: RPCDescriptor) -> APIError {
    guard let sent else { return error }
    return sent.redactor(rpc).masked(error)
  }

  /// A text of this response without the request's secrets. Before it is cut, because a part of a secret is not recognized.
  package func masked(_ text: String, of rpc: RPCDescriptor) -> String { sent?.redactor(rpc).masked(text) ?? text }

  /// The response as it came, with this body.
  package func http(body: HTTPBody) -> HTTPResponse {
    var response = HTTPResponse(status: status, headers: headers, body: body)
    response.redirects = redirects
    return response
  }
}

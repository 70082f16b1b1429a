import NovaAuth
import NovaCore

/// The account whose token requests carry.
enum SurveyCaller: Sendable {
  /// The account that the survey registered, or else the user of the token that it was given.
  case account
  /// Another account.
  case other(AccessToken)
  /// None: requests carry no token.
  case nobody
}

/// Makes the requests of a survey, with the headers and the token that the SDK sends.
struct SurveyRequestBuilder {
  private let check: ContractCheck
  /// The token of the account that the survey registered.
  var ownToken: AccessToken?
  var caller = SurveyCaller.account

  init(_ check: ContractCheck) { self.check = check }

  /// The requests with a message, and those that follow from it.
  func requests(_ rpc: RPCDescriptor, _ message: any ProtoMessage) -> DerivedRequests {
    DerivedRequests(
      rpc: rpc, message: message, binding: rpc.http.writing(check.options.requestNames[rpc.service]),
      form: check.form(of: rpc.service))
  }

  /// The request with the headers that the SDK sends.
  func http(_ request: SurveyRequest, of rpc: RPCDescriptor) async throws -> HTTPRequest {
    let form = check.form(of: rpc.service)
    let url = form.url(of: request.target, on: check.baseURL(rpc.service))
    var headers = try await headers(form.headers(of: rpc, hasBody: !request.body.isEmpty), of: rpc, url: url)
    if let token = request.token { headers["Authorization"] = "Bearer \(token)" }
    if rpc.isServerStreaming, headers["Accept"] != nil { headers["Accept"] = "text/event-stream, application/json" }
    for field in request.headers { headers[field.name] = field.value }
    var result = HTTPRequest(
      method: request.method, url: url, headers: headers, body: request.body, limits: check.options.limits)
    result.streamsResponse = rpc.isServerStreaming
    return result
  }

  /// The headers that a gateway gets with the bytes of a file.
  func headers(ofBytesFor rpc: RPCDescriptor, url: HTTPURL, hasBody: Bool) async throws -> HTTPHeaders {
    try await headers(JSONForm().headers(of: rpc, hasBody: hasBody), of: rpc, url: url)
  }

  /// Adds the headers of every call to those of its form. Over gRPC, they are the metadata.
  private func headers(
    _ ofForm: HTTPHeaders, of rpc: RPCDescriptor, url: HTTPURL
  ) async throws -> HTTPHeaders {
    let id = check.makeID()
    var headers = ofForm
    headers["Content-Type"] = nil
    headers["X-Request-ID"] = id
    headers["Content-Type"] = ofForm["Content-Type"]
    if rpc.effect != .noSideEffects { headers["Idempotency-Key"] = id }
    if rpc.requiresAuthentication, let token = try await token(), url.origin.protectsSecrets {
      headers["Authorization"] = "Bearer \(token.secretValue)"
    }
    return headers
  }

  /// The token that requests carry; nil for none.
  func token() async throws -> AccessToken? {
    switch caller {
    case .account: break
    case .other(let token): return token
    case .nobody: return nil
    }
    if let ownToken { return ownToken }
    guard let tokens = check.tokens else { return nil }
    do {
      return try await tokens.accessToken()
    } catch let error as APIError {
      if error.code == .cancelled { throw CancellationError() }
      throw CheckStopped(reason: error.code == .unauthorized ? .noToken(error.message) : .noConnection(error.message))
    }
  }
}

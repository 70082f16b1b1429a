extension APIError {
  /// The error of a response whose status is not success, in whichever of the gateway's three shapes its body is.
  ///
  /// - Parameter hasServiceForms: whether the server reports failures in the forms of services. Others, such as storages,
  ///   have forms of their own.
  package init(_ received: HTTPResponse, hasServiceForms: Bool = true) {
    let response = received.withGRPCStatusInBody
    let isHTML = response.isHTML
    // A page is not a message for people.
    let body = ErrorBody(isHTML ? [] : response.body.inMemory)
    let isKeyInProgress = KeyInProgress.isReported(status: response.status, body.server)
    let code = isKeyInProgress ? .unavailable : body.grpcStatus?.errorCode ?? .of(httpStatus: response.status)
    self.init(
      code, isKeyInProgress ? Self.keyInProgress : Self.text(code, response, wait: body.retryAfter),
      httpStatus: response.status, grpcStatus: body.grpcStatus, server: body.server)
    if code == .notFound, hasServiceForms, !body.isOfService { advice = Self.adviceForUnknownPath }
    form = response.body == received.body ? body.form : .grpcFields
    retryAfter = body.retryAfter
    self.isKeyInProgress = isKeyInProgress
    isPage = isHTML
    isProblem = body.isOfFastAPI
    if response.status == 409 { uploadedSize = UploadedSize.inAnswer(response.body.inMemory) }
    isFromAnotherServer = response.isRedirect || Self.statusesOnTheWay.contains(response.status)
    if isHTML, !response.isRedirect, !Self.statusesOfProxies.contains(response.status),
      !OriginStatus.all.contains(response.status)
    {
      restate("not a Nova gateway")
      setForeignContent("HTML")
    }
  }

  /// The error of a response that carries a failure although its status is a success.
  package init(_ failure: ErrorStatus, _ response: HTTPResponse) {
    let status = GRPCStatus(named: failure.code)
    let code = status?.errorCode ?? .serverError
    self.init(
      code, Self.text(code, response), httpStatus: response.status, grpcStatus: status,
      server: ServerError(code: failure.code, message: failure.message, metadata: failure.metadata))
    form = .nova
  }

  /// The statuses that a proxy in front of a gateway sends with a page of its own.
  private static let statusesOfProxies: Set = [401, 403, 407, 408, 413, 429, 500, 502, 503, 504, 511]

  /// The statuses of a proxy or network that has not passed the request on.
  private static let statusesOnTheWay: Set = [407, 511]

  private static let keyInProgress = ErrorText(
    "an earlier request with the same idempotency key is still being carried out",
    advice: "repeat the call with this key later")

  /// What to add to "not found" if the response is not in a form of services: every server responds so to a path that it
  /// does not know.
  private static let adviceForUnknownPath =
    "the response is not in the service's form: the server may not support this RPC"

  /// - Parameter wait: the wait that the body requests.
  private static func text(_ code: Code, _ response: HTTPResponse, wait: Duration? = nil) -> ErrorText {
    switch code {
    case .networkError: onTheWay(response.status)
    case .unauthorized: ErrorText("not signed in", reason: "the token is missing, expired or invalid")
    case .permissionDenied: ErrorText("not allowed")
    case .notFound: ErrorText("not found")
    case .conflict: ErrorText("already exists, or was changed meanwhile")
    case .invalidArgument: ErrorText("invalid argument")
    case .failedPrecondition: ErrorText("not possible in the current state")
    case .rateLimited: ErrorText("too many requests", advice: retryAfter(response, wait))
    case .unavailable: ErrorText("the service is not available", advice: retryAfter(response, wait))
    case .timeout: ErrorText("the server did not finish in time")
    case .unimplemented: ErrorText("the server does not support this RPC")
    case .cancelled: ErrorText("the server reports that the call was cancelled")
    case .invalidResponse: ErrorText("expected status 200…299 and a JSON response\(redirect(response))")
    default: ErrorText("the server failed")
    }
  }

  private static func onTheWay(_ status: Int) -> ErrorText {
    status == 407
      ? ErrorText(
        "the proxy requires a sign-in, and has not passed the request on",
        advice: "set the proxy's user and password")
      : ErrorText(
        "the network requires a sign-in, and has not passed the request on", advice: "sign in to the network")
  }

  /// Where the response redirects to, without a query, which may contain secrets.
  private static func redirect(_ response: HTTPResponse) -> String {
    guard response.isRedirect, let location = response.headers["Location"] else { return "" }
    if let url = try? HTTPURL(parsing: location) { return ", got a redirect to \("\(url)".printable(to: 200))" }
    guard location.hasPrefix("/"), !location.hasPrefix("//") else { return ", got a redirect" }
    return ", got a redirect to \(String(location.prefix { $0 != "?" && $0 != "#" }).printable(to: 200))"
  }

  private static func retryAfter(_ response: HTTPResponse, _ wait: Duration?) -> String? {
    let inBody = wait.map { Int(($0 / .seconds(1)).rounded(.up)) }
    let seconds = response.headers["Retry-After"].flatMap { Int(digits: $0[...]) } ?? inBody
    // A wait of zero is not reported.
    guard let seconds, seconds > 0 else { return nil }
    return "the server asks to wait \(seconds) s"
  }
}

extension HTTPResponse {
  fileprivate var isRedirect: Bool { (300..<400).contains(status) }

  /// Whether the body is a web page.
  package var isHTML: Bool {
    if ContentTypeName.isPage(headers.contentTypeName) { return true }
    let beginning = ByteOrderMark.removed(from: Array(body.inMemory.prefix(100)))
    let start = String(decoding: beginning.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }
}

/// The body of a failure: grpc-gateway's `{"code":5,"message":"…"}`, with which its first version repeats the message as
/// `error`, Nova's `{"error":{"code":"…","message":"…"}}`, FastAPI's and RFC 9457's `{"detail":…}`, or plain text.
struct ErrorBody {
  var grpcStatus: GRPCStatus?
  var server: ServerError?
  var form: APIError.Form?
  var retryAfter: Duration?
  /// Whether it is in a form of services, which proxies and routers do not use.
  var isOfService: Bool { form != nil || grpcStatus != nil || isOfFastAPI }
  private(set) var isOfFastAPI = false

  init(_ body: [UInt8]) {
    let body = ByteOrderMark.removed(from: body)
    guard !body.isEmpty else { return }
    guard let json = try? JSONValue(jsonUTF8: body), case .object = json else {
      server = ServerError(message: String(decoding: body.prefix(1000), as: UTF8.self))
      return
    }
    // Gateways write them beside the code; some beside an `error` that has no details.
    retryAfter = RetryAfter.wait(details: json["error"]?["details"] ?? json["details"])
    if json["error"] == nil, json["message"] == nil, let problem = ServerError(problem: json) {
      server = problem
      // Starlette sends this text for a path without a route.
      isOfFastAPI = problem.message != "Not Found"
      grpcStatus = GRPCStatus(describedIn: json)
      return
    }
    // If `error` is a text, the other members are at the top.
    let enclosed: JSONValue? = if case .object? = json["error"] { json["error"] } else { nil }
    let error = enclosed ?? json
    grpcStatus = GRPCStatus(describedIn: error)
    form = Self.form(error, isEnclosed: enclosed != nil, grpcStatus)
    let message = error.text("message") ?? json["error"]?.stringValue
    let code = error.text("code") ?? Self.reason(error["details"])
    guard message != nil || code != nil else { return }
    var metadata = Self.metadata(error["metadata"])
    for detail in error["details"]?.elements ?? [] { Self.add(detail, to: &metadata) }
    server = ServerError(code: code ?? "", message: message ?? "", metadata: metadata)
  }

  /// Nova's codes are text or numbers under `error`, grpc-gateway's are numbers at the top. A number that only repeats an
  /// HTTP status does not prove a service: Google's API gateways send it for unknown paths.
  private static func form(_ error: JSONValue, isEnclosed: Bool, _ status: GRPCStatus?) -> APIError.Form? {
    if isEnclosed, error["code"]?.stringValue?.isEmpty == false { return .nova }
    guard let number = error["code"]?.integerValue, number != 0, status != nil || !(400...599).contains(number) else {
      return nil
    }
    return isEnclosed ? .nova : .grpcGateway
  }

  /// The reason for programs in a `google.rpc.ErrorInfo`.
  private static func reason(_ details: JSONValue?) -> String? {
    guard case .array(let details) = details else { return nil }
    for detail in details {
      // PayPal uses the second name.
      if let reason = detail.text("reason") ?? detail.text("issue") { return reason }
    }
    return nil
  }

  /// Adds the values of a `google.rpc.ErrorInfo`, or the fields of a `BadRequest`.
  private static func add(_ detail: JSONValue, to metadata: inout [String: String]) {
    let isInfo = detail.text("@type")?.hasSuffix("/google.rpc.ErrorInfo") == true
    if isInfo { for (name, text) in Self.metadata(detail["metadata"]) { metadata.add(text, named: name) } }
    for violation in (detail["fieldViolations"] ?? detail["field_violations"])?.elements ?? [] {
      guard let field = violation.text("field"), let text = violation.text("description") else { continue }
      metadata.add(text, named: field)
    }
  }

  private static func metadata(_ value: JSONValue?) -> [String: String] {
    guard case .object(let members) = value else { return [:] }
    var metadata: [String: String] = [:]
    for member in members {
      metadata.add(member.value.stringValue ?? member.value.kindDescription, named: member.name)
    }
    return metadata
  }
}

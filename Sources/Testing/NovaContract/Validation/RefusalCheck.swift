import NovaCore

/// Validates the answer to a request that should be refused: the contract's statuses and its three shapes of errors.
struct RefusalCheck {
  let refusal: Refusal
  let response: HTTPResponse
  /// The error inside an answer with a success status.
  let enclosed: APIError?

  /// Whether the contract allows the response to report a failure with a success status.
  let mayEncloseFailure: Bool

  var findings: [Finding] {
    if let enclosed { return code(enclosed.code, isKnown: true) + wrongStatus }
    guard !response.isSuccess else {
      return [
        Finding(
          .accepted, refusal.accepted, expected: "status \(refusal.description)", found: "status \(response.status)")
      ]
    }
    let error = APIError(response)
    let isKnown = refusal.statuses.contains(response.status)
    if (200..<300).contains(response.status) { return code(error.code, isKnown: true) + wrongStatus }
    return code(error.code, isKnown: isKnown) + shape(error)
  }

  /// The difference of a failure with the status of a success, which misleads caches, proxies, metrics, and
  /// clients without this SDK.
  private var wrongStatus: [Finding] {
    if mayEncloseFailure, enclosed != nil { return [] }
    return [
      Finding(
        .status, .breaking, at: "error", expected: "status \(refusal.description)",
        found: "an error under status \(response.status)")
    ]
  }

  /// - Parameter isKnown: whether the status is one of the contract's.
  private func code(_ code: APIError.Code, isKnown: Bool) -> [Finding] {
    let isRead = refusal.codes.contains(code)
    if isRead, isKnown { return [] }
    var found = "status \(response.status)" + (isRead ? "" : ", which the SDK reads as \(code)")
    var grade: ContractDifference.Grade = isRead || refusal.isOfRouting ? .tolerated : .breaking
    // Whatever the body contains.
    if isRead, !refusal.isOfRouting, Self.isPassing(response.status) {
      found += ": the SDK repeats the request, because that status may pass"
      grade = .breaking
    }
    // Where all requests without a route are refused in the same way, that is reported once.
    let place = refusal.isOfRouting && !isKnown ? GatewayForms.routing : ""
    return [Finding(.status, grade, at: place, expected: "status \(refusal.description)", found: found)]
  }

  /// Whether the SDK treats a status as a transient failure.
  private static func isPassing(_ status: Int) -> Bool {
    TransientOnly.isTransient(APIError(.serverError, "", httpStatus: status))
  }

  private func shape(_ error: APIError) -> [Finding] {
    // Whatever its body contains.
    if error.isFromAnotherServer, error.isPage, !refusal.isOfRouting { return [page] }
    guard !response.body.isEmpty else { return [] }
    let type = ContentType.of(response)
    guard let json = try? JSONValue(keepingRepeatedNames: response.body.inMemory), case .object = json else {
      let isText = type == nil || type == "text/plain"
      return isText ? [] : [difference("a body of \(ContentType.shown(response) ?? "no type")")]
    }
    var findings = ContentType.findings(response)
    if let problem = problem(json) { findings.append(difference(problem)) }
    if let status = error.grpcStatus, status.httpStatus != response.status,
      !refusal.statuses.contains(response.status)
    {
      findings.append(
        Finding(
          .status, .tolerated, at: "code", expected: "status \(status.httpStatus) with \(status)",
          found: "status \(response.status)"))
    }
    return findings
  }

  /// The reason why a body has neither grpc-gateway's nor Nova's form. The first version of grpc-gateway has the message as `error`, too.
  private func problem(_ json: JSONValue) -> String? {
    if let error = json["error"], error.stringValue == nil || json["code"]?.integerValue == nil {
      let isNova = error["code"]?.stringValue != nil && error["message"]?.stringValue != nil
      return isNova ? nil : "error without a code and a message that are strings"
    }
    guard let code = json["code"]?.integerValue else { return "an object without a number as its code" }
    guard GRPCStatus(failure: code) != nil else { return "a code that is no number of gRPC, so the status counts" }
    return json["message"]?.stringValue == nil ? "an object without a message" : nil
  }

  /// The difference of an HTML page. The SDK attributes it to another server: it proves neither that a record does not
  /// exist, nor that the service has refused anything.
  private var page: Finding {
    Finding(
      .errorShape, .breaking, at: GatewayForms.pages, expected: Self.shapes,
      found: "a page of HTML, which the SDK takes for another server's")
  }

  private func difference(_ found: String) -> Finding {
    Finding(.errorShape, .tolerated, expected: Self.shapes, found: found)
  }

  private static let shapes = #"{"code":5,"message":"…"}, {"error":{"code":"…","message":"…"}}, or text"#
}

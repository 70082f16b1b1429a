import NovaCore

/// Validates the answer to a request that should be refused: the contract's statuses and its three shapes of errors.
struct RefusalCheck {
  let refusal: Refusal
  let response: HTTPResponse
  /// The error inside an answer with a success status.
  let enclosed: APIError?

  var findings: [Finding] {
    if let enclosed { return code(enclosed.code, isKnown: true) }
    guard !response.isSuccess else {
      return [
        Finding(
          .accepted, refusal.accepted, expected: "status \(refusal.description)", found: "status \(response.status)")
      ]
    }
    let error = APIError(response)
    return code(error.code, isKnown: refusal.statuses.contains(response.status)) + shape(error)
  }

  /// - Parameter isKnown: whether the status is one of the contract's.
  private func code(_ code: APIError.Code, isKnown: Bool) -> [Finding] {
    let isRead = refusal.codes.contains(code)
    if isRead, isKnown { return [] }
    let found = "status \(response.status)" + (isRead ? "" : ", which the SDK reads as \(code)")
    return [
      Finding(.status, isRead ? .tolerated : .breaking, expected: "status \(refusal.description)", found: found)
    ]
  }

  private func shape(_ error: APIError) -> [Finding] {
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

  /// Why a body is neither grpc-gateway's nor Nova's.
  private func problem(_ json: JSONValue) -> String? {
    if let error = json["error"] {
      let isNova = error["code"]?.stringValue != nil && error["message"]?.stringValue != nil
      return isNova ? nil : "error without a code and a message that are strings"
    }
    guard json["code"]?.integerValue != nil else { return "an object without a number as its code" }
    return json["message"]?.stringValue == nil ? "an object without a message" : nil
  }

  private func difference(_ found: String) -> Finding {
    Finding(
      .errorShape, .tolerated, expected: #"{"code":5,"message":"…"}, {"error":{"code":"…","message":"…"}}, or text"#,
      found: found)
  }
}

import NovaCore

/// Holds a whole answer against the contract: status, content type, body.
struct AnswerCheck {
  let registry: RPCRegistry
  let rpc: RPCDescriptor
  /// The request, where it was a message.
  let request: (any ProtoMessage)?
  let expectation: Expectation

  /// Every difference, in the order in which it was found.
  func findings(_ response: HTTPResponse) -> [Finding] {
    let failure = response.isSuccess ? ErrorStatus(inSuccessful: response.body) : nil
    switch expectation {
    case .failure(let refusal): return RefusalCheck(refusal: refusal, response: response, inner: failure).findings
    case .success, .nothing: break
    }
    guard response.isSuccess else {
      return [Finding(.status, .breaking, expected: "status \(rpc.http.successStatus)", found: said(response))]
    }
    if let failure, !isNotFound(failure, response) {
      let text = "an error inside the answer: \(failure.code) \(failure.message)".shortened(to: 200)
      return [Finding(.status, .breaking, at: "error", expected: "success", found: text.printable(to: 400))]
    }
    var findings: [Finding] = []
    if response.status != rpc.http.successStatus {
      findings.add(
        Finding(
          .status, .tolerated, expected: "status \(rpc.http.successStatus)", found: "status \(response.status)"))
    }
    for finding in body(response) { findings.add(finding) }
    return findings
  }

  /// A server may say by an error that there is nothing, where nothing is a good answer.
  private func isNotFound(_ failure: ErrorStatus, _ response: HTTPResponse) -> Bool {
    guard case .nothing = expectation else { return false }
    return APIError(failure, response).code == .notFound
  }

  private func body(_ response: HTTPResponse) -> [Finding] {
    let descriptor = rpc.responseType.descriptor
    if descriptor.fields.isEmpty, response.body.isEmpty { return [] }
    if rpc.http.successStatus == 204 {
      return [Finding(.wrongType, .tolerated, expected: "no body", found: "\(response.body.count) bytes")]
    }
    let json: JSONValue
    do throws(ProtoJSONError) {
      json = try JSONValue(keepingRepeatedNames: response.body)
    } catch {
      return [Finding(.notJSON, .breaking, expected: "JSON", found: Self.shape(of: response, error))]
    }
    var findings = ContentType.findings(response)
    var message = MessageCheck(registry, rpc.http)
    message.checkBody(json, of: descriptor)
    for finding in message.findings { findings.add(finding) }
    // What is not there at all needs no telling why it contradicts the rest.
    let decoded = decode(response.body, &findings)
    if let decoded { MeaningCheck(rpc, request, expectation).check(decoded, json, &findings) }
    return findings
  }

  /// The SDK has the last word: what it cannot read is breaking, whatever was found before.
  private func decode(_ body: [UInt8], _ findings: inout [Finding]) -> (any ProtoMessage)? {
    do throws(ProtoJSONError) {
      return try HTTPTranscoder.response(rpc.responseType, body, rpc.http)
    } catch {
      if !findings.contains(where: { $0.grade == .breaking }) {
        findings.add(
          Finding(.wrongType, .breaking, at: error.path, expected: error.expected, found: error.found))
      }
      return nil
    }
  }

  /// What a failure says, without anything that may be secret.
  private func said(_ response: HTTPResponse) -> String {
    let error = APIError(response)
    var text = "status \(response.status)"
    if let status = error.grpcStatus { text += ", \(status)" }
    if let message = error.server?.message, !message.isEmpty { text += ": \"\(message.shortened(to: 160))\"" }
    return text.printable(to: 400)
  }

  /// What a body is that is no JSON. The bytes themselves may hold secrets.
  private static func shape(of response: HTTPResponse, _ error: ProtoJSONError) -> String {
    if response.body.isEmpty { return "no body" }
    let type = ContentType.of(response)
    guard ContentType.isJSON(type) else {
      return "\(response.body.count) bytes of \(type?.shortened(to: 60).printable(to: 80) ?? "no content type")"
    }
    return "\(response.body.count) bytes that are not, from line \(error.line), column \(error.column) on"
  }
}

/// What an answer says that its body is.
enum ContentType {
  /// The type without its parameters, in lower case.
  static func of(_ response: HTTPResponse) -> String? {
    guard let value = response.headers["Content-Type"] else { return nil }
    return value.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }

  static func isJSON(_ type: String?) -> Bool { type == "application/json" || type?.hasSuffix("+json") ?? false }

  /// The difference of a body that is JSON.
  static func findings(_ response: HTTPResponse) -> [Finding] {
    let type = of(response)
    if isJSON(type) { return [] }
    let found = type?.shortened(to: 60).printable(to: 80) ?? "no content type"
    return [Finding(.contentType, .tolerated, expected: "application/json", found: found)]
  }
}

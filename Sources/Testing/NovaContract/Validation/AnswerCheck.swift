import NovaCore
import NovaMedia

/// Validates an answer: status, content type, and body.
struct AnswerCheck {
  let registry: RPCRegistry
  let rpc: RPCDescriptor
  /// The request, where it was a message.
  let request: (any ProtoMessage)?
  let expectation: Expectation
  /// Whether the answer came over gRPC, and was translated.
  var overGRPC = false

  /// Every difference, in the order of the answer.
  func findings(_ response: HTTPResponse) -> [Finding] {
    let failure = response.isSuccess ? APIError(enclosedIn: response, of: rpc) : nil
    switch expectation {
    case .failure(let refusal):
      let mayEnclose = rpc.responseType.descriptor.field(named: "error") != nil
      return RefusalCheck(refusal: refusal, response: response, enclosed: failure, mayEncloseFailure: mayEnclose)
        .findings
    case .success, .absent: break
    }
    guard response.isSuccess else {
      return [
        Finding(.status, .breaking, expected: "status \(rpc.http.successStatus)", found: description(of: response))
      ]
    }
    if let failure, !(isAbsent && failure.code == .notFound) {
      let server = failure.server.map { "\($0.code) \($0.message)" } ?? failure.message
      let found = "an error inside the answer: \(server)".shortened(to: 200).printable(to: 400)
      return [Finding(.status, .breaking, at: "error", expected: "success", found: found)]
    }
    var findings: [Finding] = []
    if response.status != rpc.http.successStatus {
      findings.add(
        .status, .tolerated, expected: "status \(rpc.http.successStatus)", found: "status \(response.status)")
    }
    for finding in body(response) { findings.add(finding) }
    return findings
  }

  /// Whether the answer may be an error that means that it does not exist.
  private var isAbsent: Bool { if case .absent = expectation { true } else { false } }

  private func body(_ response: HTTPResponse) -> [Finding] {
    let descriptor = rpc.responseType.descriptor
    if descriptor.fields.isEmpty, response.body.isEmpty { return [] }
    if rpc.http.successStatus == 204 {
      return [Finding(.wrongType, .tolerated, expected: "no body", found: "\(response.body.inMemory.count) bytes")]
    }
    if rpc.isServerStreaming { return StreamCheck(rpc: rpc, overGRPC: overGRPC).findings(response) }
    let json: JSONValue
    do throws(ProtoJSONError) {
      json = try JSONValue(keepingRepeatedNames: response.body.inMemory)
    } catch {
      return [Finding(.notJSON, .breaking, expected: "JSON", found: Self.shape(of: response, error))]
    }
    var findings = ContentType.findings(response)
    var message = MessageCheck(registry, rpc.http)
    message.checkBody(json, of: rpc.responseType)
    for finding in message.findings { findings.add(finding) }
    guard let decoded = decode(response.body.inMemory, &findings) else { return findings }
    var meaning = MeaningCheck(json, of: rpc, to: request, expecting: expectation)
    meaning.check(decoded)
    for finding in meaning.findings { findings.add(finding) }
    return findings
  }

  /// Whatever the SDK cannot read is breaking, even if the checks before found nothing.
  private func decode(_ body: [UInt8], _ findings: inout [Finding]) -> (any ProtoMessage)? {
    do throws(ProtoJSONError) {
      return try HTTPTranscoder.response(rpc.responseType, from: body, rpc.http)
    } catch {
      if !findings.contains(where: { $0.grade == .breaking }) {
        findings.add(.wrongType, at: error.path, expected: error.expected, found: error.found)
      }
      return nil
    }
  }

  /// What a failure reports, without anything that may be secret.
  private func description(of response: HTTPResponse) -> String {
    let error = APIError(response)
    var text = "status \(response.status)"
    if let status = error.grpcStatus { text += ", \(status)" }
    if let message = error.server?.message, !message.isEmpty { text += ": \"\(message.shortened(to: 160))\"" }
    return text.printable(to: 400)
  }

  /// What a body is that is not JSON. The bytes themselves may contain secrets.
  private static func shape(of response: HTTPResponse, _ error: ProtoJSONError) -> String {
    if response.body.isEmpty { return "no body" }
    guard ContentType.isJSON(ContentType.of(response)) else {
      return "\(response.body.inMemory.count) bytes of \(ContentType.shown(response) ?? "no content type")"
    }
    return "\(response.body.inMemory.count) bytes that are not, from line \(error.line), column \(error.column) on"
  }
}

/// The content type of an answer.
enum ContentType {
  /// The type without its parameters, in lower case.
  static func of(_ response: HTTPResponse) -> String? {
    response.headers["Content-Type"].map(ContentTypeName.of)
  }

  /// The same for messages.
  static func shown(_ response: HTTPResponse) -> String? { of(response)?.shortened(to: 60).printable(to: 80) }

  static func isJSON(_ type: String?) -> Bool { type.map(ContentTypeName.isJSON) ?? false }

  /// The difference of a body that is JSON, if any.
  static func findings(_ response: HTTPResponse) -> [Finding] {
    if isJSON(of(response)) { return [] }
    let found = shown(response) ?? "no content type"
    return [Finding(.contentType, .tolerated, expected: "application/json", found: found)]
  }
}

extension AnswerCheck {
  /// What is wrong with the answer to the bytes of an upload, which is no RPC of the contract.
  static func findings(toBytes response: HTTPResponse, _ registry: RPCRegistry, _ rpc: RPCDescriptor) -> [Finding] {
    guard response.status == 200, let json = try? JSONValue(keepingRepeatedNames: response.body.inMemory) else {
      return [Finding(.status, .breaking, expected: "status 200 and JSON", found: "status \(response.status)")]
    }
    var check = MessageCheck(registry, rpc.http)
    check.check(json["upload"] ?? .null, Upload.descriptor, at: "upload")
    return check.findings
  }
}

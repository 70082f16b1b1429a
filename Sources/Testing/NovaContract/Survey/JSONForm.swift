import NovaCore

/// Requests as HTTP with JSON, as `google.api.http` has them.
struct JSONForm: SurveyForm {
  func parts(of message: any ProtoMessage, _ rpc: RPCDescriptor, _ binding: HTTPBinding) throws -> SurveyParts {
    let parts = try HTTPTranscoder.request(message, binding)
    return SurveyParts(method: binding.method, target: parts.target, body: parts.body)
  }

  func headers(of rpc: RPCDescriptor, hasBody: Bool) -> HTTPHeaders {
    var headers: HTTPHeaders = ["Accept": "application/json"]
    if rpc.http.hasBody || hasBody { headers["Content-Type"] = "application/json" }
    return headers
  }

  func url(of target: String, on base: HTTPURL) -> HTTPURL { base.appending(target) }

  func reading(of response: HTTPResponse, _ rpc: RPCDescriptor) -> SurveyReading { SurveyReading(response: response) }

  func misdirected(_ requests: DerivedRequests) -> [SurveyRequest] {
    let unknown = requests.broken("an unknown path", expecting: .failure(.unknownPath)) {
      $0.target = $0.path + "/nova-contract/unknown"
    }
    return [unknown].compactMap(\.self)
  }

  /// Malformed bodies, and an HTTP method without a route.
  func malformed(_ requests: DerivedRequests, in registry: RPCRegistry) -> [SurveyRequest] {
    broken(requests) + [wrongMethod(requests, in: registry)].compactMap(\.self)
  }

  private func broken(_ requests: DerivedRequests) -> [SurveyRequest] {
    let inPath = PathTemplate(requests.binding.path).variables
    let fields = requests.rpc.requestType.descriptor.fields.filter { !inPath.contains($0.name) }
    guard requests.binding.hasBody else {
      let number = fields.first { $0.kind.isInteger || $0.kind == .double }
      let wrong = number.flatMap { number in
        requests.broken("\(number.name) that is no number") {
          ($0.target, $0.body) = ("\($0.path)?\(number.name)=x", [])
        }
      }
      return [wrong].compactMap(\.self)
    }
    let wrongType = fields.first.flatMap { field in
      requests.broken("\(field.name) of the wrong type") { $0.body = Self.wrongType(of: field, in: $0.body) }
    }
    return [
      requests.broken("broken JSON") { $0.body = Array(#"{"broken"#.utf8) },
      requests.broken("a list as the body") { $0.body = Array("[]".utf8) }, wrongType,
    ].compactMap(\.self)
  }

  private func wrongMethod(_ requests: DerivedRequests, in registry: RPCRegistry) -> SurveyRequest? {
    let binding = requests.binding
    let method: HTTPMethod = binding.method == .post ? .get : .put
    if registry.rpcs.contains(where: { $0.http.method == method && $0.http.path == binding.path }) { return nil }
    return requests.broken("\(method) on its path", expecting: .failure(.wrongMethod)) {
      ($0.method, $0.target, $0.body) = (method, $0.path, [])
    }
  }

  /// The body with an object in place of a field's value; a list where that could be an object.
  private static func wrongType(of field: FieldDescriptor, in body: [UInt8]) -> [UInt8] {
    let isObject: Bool = if case .message = field.kind { true } else { false }
    let wrong: JSONValue = isObject && field.cardinality != .repeated ? .array([]) : .object([])
    let json = (try? JSONValue(jsonUTF8: body)) ?? .object([])
    let name = json[field.jsonName] != nil ? field.jsonName : field.name
    return json.with([.init(name: name, value: wrong)]).jsonUTF8
  }
}

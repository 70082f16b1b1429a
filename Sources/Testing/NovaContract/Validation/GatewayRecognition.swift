import NovaCore
import NovaRegistry

/// Decides whether a server is a gateway of the contract, from its responses to valid requests.
struct GatewayRecognition {
  private enum Sign: Hashable {
    /// The response has the form of the contract.
    case match
    /// The response fits, but any server could send it: 401, 502.
    case unclear
    /// A success without any field, for this reason: a service can send it, but not all of them.
    case empty(String)
    /// The response cannot be a gateway's, for this reason.
    case mismatch(String)
  }

  private var signs: [(service: String, isSuccess: Bool, sign: Sign)] = []

  /// Whether a response had the form of the contract.
  var isRecognized: Bool { signs.contains { $0.sign == .match } }

  func knows(_ service: String) -> Bool { signs.contains { $0.service == service } }

  /// Why no response can be a gateway's; nil if one can.
  var problem: String? {
    var reasons: [String] = []
    var isEmpty = false
    for (_, _, sign) in signs {
      let reason: String
      switch sign {
      case .mismatch(let text): reason = text
      case .empty(let text): (reason, isEmpty) = (text, true)
      case .match, .unclear: return nil
      }
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    guard let first = reasons.first else { return nil }
    // Single services can have nothing to return, but a server whose services all do accepts anything.
    let acceptsAnything = signs.count == GatewayProbe.all.count && signs.allSatisfy(\.isSuccess)
    if isEmpty, !acceptsAnything { return nil }
    let paths = signs.count == 1 ? "its path" : "all \(signs.count) requested paths"
    if reasons.count == 1 { return "\(paths) return \(first)" }
    let shown = reasons.prefix(3).joined(separator: "; ")
    return "\(paths) return something else: \(shown)\(reasons.count > 3 ? "; …" : "")"
  }

  /// Records that the response to a valid request was a redirect that cannot be followed.
  mutating func record(_ redirect: TransportError, of rpc: RPCDescriptor) {
    if knows(rpc.service) { return }
    signs.append((rpc.service, false, .mismatch("a redirect that is not followed: \(redirect.message)")))
  }

  /// Records the response to a valid request.
  mutating func record(_ response: HTTPResponse, of rpc: RPCDescriptor, overGRPC: Bool = false) {
    let sign = (overGRPC ? signOfFailure(response) : nil) ?? sign(of: response, rpc)
    if knows(rpc.service), sign != .match { return }
    signs.removeAll { $0.service == rpc.service }
    signs.append((rpc.service, response.isSuccess, sign))
  }

  /// The sign of a failure over gRPC, where other servers answer in the same form.
  private func signOfFailure(_ response: HTTPResponse) -> Sign? {
    guard !response.isSuccess else { return nil }
    let error = APIError(response)
    return switch error.grpcStatus {
    case GRPCStatus.unimplemented, .unknown:
      .mismatch("\(error.grpcStatus?.description ?? ""): \(error.server?.message ?? "")")
    case GRPCStatus.internalError, .unavailable, .unauthenticated, .permissionDenied, nil: .unclear
    default: nil
    }
  }

  private func sign(of response: HTTPResponse, _ rpc: RPCDescriptor) -> Sign {
    let json = try? JSONValue(keepingRepeatedNames: response.body.inMemory)
    // No other server sends these headers.
    if response.headers.failedGRPCStatus != nil { return .match }
    if response.isSuccess, response.body.isEmpty { return .empty("status \(response.status) with no body") }
    if let json, let sign = response.isSuccess ? success(json, of: rpc, status: response.status) : failure(json) {
      return sign
    }
    // A proxy can answer these in the gateway's place.
    if [401, 403, 429, 502, 503, 504].contains(response.status) { return .unclear }
    let type = ContentType.shown(response) ?? (response.body.isEmpty ? "no body" : "no content type")
    let other = json != nil && response.isSuccess ? "JSON without any field of the contract" : type
    return .mismatch("status \(response.status) with \(other)")
  }

  /// The sign of JSON with a success status; nil if it has no field of the contract.
  private func success(_ json: JSONValue, of rpc: RPCDescriptor, status: Int) -> Sign? {
    guard ReadableParts.response(rpc.responseType, from: json.jsonUTF8, rpc.http) != nil else { return nil }
    let value: JSONValue
    if case .array(let elements) = json { value = elements.first ?? .object([]) } else { value = json }
    guard case .object(let members) = value else { return nil }
    let messages = Self.messages(in: rpc)
    if messages.contains(where: { MessagePresence(members, of: $0) == .fields }) { return .match }
    guard members.isEmpty || MessagePresence(members, of: rpc.responseType.descriptor) == .defaults else { return nil }
    return .empty("status \(status) with \(json == value ? "an empty object" : "an empty list")")
  }

  /// The sign of JSON with an error status; nil if the contract does not define it.
  private func failure(_ json: JSONValue) -> Sign? {
    if let code = json["code"]?.integerValue, json["message"]?.stringValue != nil {
      // Other APIs use other numbers, or the HTTP status.
      return GRPCStatus(failure: code) == nil ? .unclear : .match
    }
    if json["error"]?["code"]?.stringValue != nil, json["error"]?["message"]?.stringValue != nil { return .match }
    return nil
  }

  /// The messages of which a response can have fields.
  private static func messages(in rpc: RPCDescriptor) -> [MessageDescriptor] {
    let response = rpc.responseType.descriptor
    guard let name = rpc.http.responseField, case .message(let element)? = response.field(named: name)?.kind,
      let message = RPCRegistry.nova.message(named: element)
    else { return [response] }
    return [response, message.descriptor]
  }
}

package import NovaCore

/// A request, as a command that repeats it, and the response to it, without their secrets.
public struct ContractEvidence: Sendable, Hashable {
  /// The maximum number of characters of a body.
  public static let maximumBodyLength = 2_000

  /// The request as a curl command for a POSIX shell; over gRPC, as a grpcurl command.
  ///
  /// The token is `$NOVA_TOKEN`, other secrets are masked, and headers that must be new in each request are left out.
  public let curl: String
  /// The HTTP status of the response; nil if there was none.
  public let status: Int?
  /// The response's body, or its beginning with an ellipsis, as the server sent it. It can contain control characters.
  public let body: String
  /// The size of the whole body in bytes.
  public let bodyByteCount: Int

  /// - Parameter showsBody: false for an answer with data of people who do not know of the check.
  init(_ request: HTTPRequest, _ response: HTTPResponse?, of rpc: RPCDescriptor, showsBody: Bool = true) {
    curl = CurlCommand(request, of: rpc).text
    status = response?.status
    body = showsBody ? response.map { Self.text(of: $0, rpc) } ?? "" : "(not shown: data of another user)"
    bodyByteCount = response?.body.inMemory.count ?? 0
  }

  /// An evidence that was made before.
  init(curl: String, status: Int?, body: String, bodyByteCount: Int) {
    (self.curl, self.status, self.body, self.bodyByteCount) = (curl, status, body, bodyByteCount)
  }

  func masked(by redactor: SecretRedactor) -> ContractEvidence {
    ContractEvidence(
      curl: redactor.masked(curl), status: status, body: redactor.masked(body), bodyByteCount: bodyByteCount)
  }

  /// `HTTP 200, 5321 bytes: {"user_ids":…`
  package func response(bodyLength: Int = maximumBodyLength) -> String {
    guard let status else { return "no response" }
    if body.isEmpty { return "HTTP \(status) without a body" }
    return
      "HTTP \(status), \(bodyByteCount) \(bodyByteCount == 1 ? "byte" : "bytes"): \(body.shortened(to: bodyLength))"
  }

  /// Bodies up to this size are parsed to mask their secrets by name.
  private static let largestParsed = 1 << 20

  private static func text(of response: HTTPResponse, _ rpc: RPCDescriptor) -> String {
    let bytes = response.body.inMemory
    let names = SecretText.names(in: rpc.responseType)
    if bytes.count <= largestParsed, let json = try? JSONValue(keepingRepeatedNames: bytes) {
      let masked = SecretText.masked(json, names: names)
      return String(decoding: masked == json ? bytes : masked.jsonUTF8, as: UTF8.self).shortened(to: maximumBodyLength)
    }
    // Without its structure, secrets cannot be told from the rest.
    if !names.isEmpty, !bytes.isEmpty { return "(not shown: not JSON, and it may contain a session)" }
    return String(decoding: bytes.prefix(4 * maximumBodyLength), as: UTF8.self).shortened(to: maximumBodyLength)
  }
}

/// A request as a curl command for a POSIX shell, with the token as `$NOVA_TOKEN` and other secrets masked. Headers that must
/// be new in each request are left out.
package struct CurlCommand {
  private let request: HTTPRequest
  private let rpc: RPCDescriptor

  package init(_ request: HTTPRequest, of rpc: RPCDescriptor) {
    self.request = request
    self.rpc = rpc
  }

  package var text: String {
    #if GRPC
      if let command = GRPCurlCommand(request, of: rpc) { return command.text }
    #endif
    var parts = ["curl -sS -i"]
    let body = body
    if request.method.rawValue != (body == nil ? "GET" : "POST") { parts.append("-X \(request.method.rawValue)") }
    let url = url
    // Brackets and braces have a meaning for curl.
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { parts.append("-g") }
    parts.append(url.shellQuoted)
    parts += request.headers.compactMap(header)
    if let body { parts.append(body) }
    return parts.joined(separator: " ")
  }

  /// The URL without the values of secret parameters.
  private var url: String {
    #if GRPC
      // Requests that are no messages, such as one in a broken frame.
      if request.url.origin.usesGRPC {
        let url = "http" + request.url.text.dropFirst(4)
        return request.url.origin.isSecure ? url : "--http2-prior-knowledge \(url)"
      }
    #endif
    guard let query = request.url.query, let start = request.url.text.firstIndex(of: "?") else {
      return request.url.text
    }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let isSecret = PercentEncoding.pairs(String(pair)).contains { SecretText.isSecretParameter($0.name) }
      return isSecret ? "\(pair.prefix { $0 != "=" })=\(SecretText.mask)" : String(pair)
    }
    return request.url.text[...start] + pairs.joined(separator: "&")
  }

  private func header(_ field: HTTPHeaders.Field) -> String? { Self.header(field) }

  /// A header as an option of curl and grpcurl; nil if it must be new in each request.
  static func header(_ field: HTTPHeaders.Field) -> String? {
    let name = field.name.lowercased()
    // A gateway replays the first response to a repeated key.
    if name == "x-request-id" || name == "idempotency-key" { return nil }
    if name == "authorization" {
      let isMalformed = field.value.hasSuffix(DiscoveredState.malformedToken)
      return isMalformed
        ? "-H \("Authorization: \(field.value)".shellQuoted)" : #"-H "Authorization: Bearer $NOVA_TOKEN""#
    }
    let value = SecretText.isSecret(name: field.name) ? SecretText.mask : field.value
    return "-H \("\(field.name): \(value)".shellQuoted)"
  }

  private var body: String? {
    let bytes = request.body.inMemory
    if bytes.isEmpty { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      return "--data-binary @body.bin"
    }
    guard let json = try? JSONValue(jsonUTF8: bytes) else { return "--data-raw \(text.shellQuoted)" }
    let masked = SecretText.masked(json, names: SecretText.names(in: rpc.requestType))
    let shown = masked == json ? text : String(decoding: masked.jsonUTF8, as: UTF8.self)
    return "--data-raw \(shown.shellQuoted)"
  }
}

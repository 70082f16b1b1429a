import NovaCore
import NovaRecording

/// The parts of a request that stub servers match.
struct ExportedRequest: Hashable {
  let method: String
  /// The percent-encoded path.
  let path: String
  let query: [Parameter]
  let body: String
  /// The `Authorization` header if the response depends on it.
  let authorization: String?

  struct Parameter: Hashable {
    let name: String
    let value: String
  }

  init(_ exchange: FixtureExchange) {
    let request = exchange.request
    let parts = exchange.target.split(separator: "?", maxSplits: 1).map(String.init)
    method = request.method.rawValue
    path = parts.first ?? "/"
    query = PercentEncoding.pairs(parts.count > 1 ? parts[1] : "").map { Parameter(name: $0.name, value: $0.value) }
    body = String(decoding: request.body.inMemory, as: UTF8.self)
    // Every valid token gets the same response; only an invalid one makes a difference.
    authorization = exchange.response.status == 401 ? request.headers["Authorization"] : nil
  }

  /// The body if it is JSON.
  var json: JSONValue? { body.isEmpty ? nil : try? JSONValue(jsonUTF8: Array(body.utf8)) }
}

extension [FixtureExchange] {
  /// The exchanges with plain placeholders, without later exchanges of the same request.
  var distinguishable: [(exchange: FixtureExchange, request: ExportedRequest)] {
    var seen: Set<ExportedRequest> = []
    return map { $0.withPlainPlaceholders() }.compactMap { exchange in
      let request = ExportedRequest(exchange)
      return seen.insert(request).inserted ? (exchange, request) : nil
    }
  }
}

extension FixtureExchange {
  /// Returns the exchange with `secret-1` in place of `{{secret:1}}`.
  func withPlainPlaceholders() -> FixtureExchange { withPlaceholders { "secret-\($0)" } }

  /// Returns the exchange with other placeholders.
  func withPlaceholders(_ text: (_ number: Int) -> String) -> FixtureExchange {
    func plain(_ bytes: [UInt8]) -> [UInt8] { Self.plain(bytes, text) }
    func plain(_ value: String) -> String { Self.plain(value, text) }
    var (request, response) = (request, response)
    request.body = .bytes(plain(request.body.inMemory))
    response.body = .bytes(plain(response.body.inMemory))
    request.headers = HTTPHeaders(request.headers.map { .init(name: $0.name, value: plain($0.value)) })
    response.headers = HTTPHeaders(response.headers.map { .init(name: $0.name, value: plain($0.value)) })
    return FixtureExchange(rpc: rpc, name: name, request: request, response: response, origin: origin)
  }

  private static func plain(_ bytes: [UInt8], _ placeholder: (Int) -> String) -> [UInt8] {
    guard let text = String(validating: bytes, as: UTF8.self), text.contains("{{secret:") else { return bytes }
    return Array(plain(text, placeholder).utf8)
  }

  private static func plain(_ text: String, _ placeholder: (Int) -> String) -> String {
    SecretPlaceholder.pieces(text).map { piece in
      switch piece {
      case .literal(let literal): literal
      case .placeholder(let secret): placeholder(secret.number)
      }
    }.joined()
  }
}

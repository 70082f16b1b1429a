/// The secrets that a request carries, for taking them out of an answer that repeats them: some servers quote a token that
/// they do not take, and what they say reaches errors and logs.
package struct SentSecrets {
  /// What is shorter stands everywhere, and masking it would tell what it is.
  private static let shortest = 4

  private let values: [String]

  /// None.
  package init() { values = [] }

  /// - Parameter token: what the request carries, where its headers do not have it yet.
  init(_ request: HTTPRequest, _ rpc: RPCDescriptor, token: AccessToken? = nil) {
    var values = token.map { [$0.secretValue] } ?? []
    if let value = request.headers["Authorization"] {
      values.append(value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value)
    }
    let names = rpc.requestType.descriptor.fields.filter(\.isSecret).flatMap { [$0.name, $0.jsonName] }
    if !names.isEmpty, let json = try? JSONValue(jsonUTF8: request.body) {
      values += names.compactMap { json[$0]?.stringValue }
    }
    self.values = values.filter { $0.utf8.count >= Self.shortest }
  }

  /// The text with a mask in place of each secret.
  func masked(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1, with: ConfigurationEntry.mask) }
  }

  func masked(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let members):
      .object(members.map { JSONValue.Member(name: masked($0.name), value: masked($0.value)) })
    case .array(let elements): .array(elements.map(masked))
    case .string(let text): .string(masked(text))
    default: json
    }
  }

  /// The same for an error.
  func masked(_ error: APIError) -> APIError {
    var error = error
    let message = masked(error.message)
    if message != error.message { error.decoding = error.decoding?.hidingValue() }
    error.message = message
    error.server = error.server.map { server in
      ServerError(
        code: masked(server.code), message: masked(server.message), metadata: server.metadata.mapValues(masked))
    }
    return error
  }

  /// The same for the body of an answer, whatever it is.
  func masked(_ body: [UInt8]) -> [UInt8] {
    values.reduce(body) { $0.replacing(Array($1.utf8), with: Array(ConfigurationEntry.mask.utf8)) }
  }
}

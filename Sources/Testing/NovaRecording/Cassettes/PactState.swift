public import NovaCore

/// What must be true of a provider before it is asked for an interaction of a pact.
public struct PactState: Sendable, Hashable {
  /// The name, as the provider's verification knows it.
  public let name: String
  /// The parameters, an object; empty for none.
  public let params: JSONValue
  /// The numbers of the secrets that the provider returns when it sets up the state. A verifier puts them into requests, in
  /// place of their placeholders: for `{{secret:3}}`, the member `secret_3` of the provider's response.
  public let secrets: Set<Int>

  /// Creates a state.
  ///
  /// - Parameters:
  ///   - name: the name, as the provider's verification knows it.
  ///   - params: the parameters, an object. Default: none.
  ///   - secrets: the numbers of the secrets that the provider returns. Default: none.
  public init(_ name: String, params: JSONValue = [:], secrets: Set<Int> = []) {
    (self.name, self.params, self.secrets) = (name, params, secrets)
  }

  /// The name of a secret in the provider's response.
  package static func name(ofSecret number: Int) -> String { "secret_\(number)" }

  var json: JSONValue {
    let hasParams = params.memberList?.isEmpty == false
    return ["name": .string(name), "params": hasParams ? params : nil]
  }
}

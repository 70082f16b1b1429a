import Foundation
import NovaCore
import NovaRegistry
import Testing

/// Whatever is wrong with a secret field, its value does not stand in the error.
@Suite struct SecretFieldTests {
  @Test(arguments: [
    // A value of another kind.
    #"{"secret_token":5551234}"#, #"{"secret_token":[5551234]}"#, #"{"secret_token":{"a":"5551234"}}"#,
    #"{"secret_token":tr5551234}"#,
    // Broken strings, among them one with a quote that was not escaped.
    #"{"secret_token":"5551234"#, #"{"secret_token":"5551234\x5551234"}"#, #"{"secret_token":"ab"5551234"}"#,
    #"{"secret_token":"ab" "5551234"}"#, #"{"secret_token":'5551234'}"#, #"{"secret_token":"ab"5551234,"id":""}"#,
    // Something missing before the value.
    #"{"secret_token" "5551234"}"#, #"{"secret_token"5551234}"#, #"{"secret_token"="5551234"}"#,
    // Words that begin like null.
    #"{"secret_token":n5551234}"#, #"{"secret_token":null5551234}"#, #"{"secret_token":nul"5551234"}"#,
    #"{"secret_token":null "5551234"}"#,
    // The field twice.
    #"{"secret_token":"a","secret_token":"5551234"}"#, #"{"secret_token":"a","secretToken":5551234}"#,
  ])
  func theValueIsHidden(_ json: String) throws {
    for json in [json, "{\"children\":[\(json)]}", "{\"children\":[{},{\"children\":[\(json)]}]}"] {
      let error = try #require(throws: ProtoJSONError.self) { try Node(jsonUTF8: Array(json.utf8)) }
      let text = "\(error) \(error.found) \(error.expected) \(error.path) \(String(reflecting: error))"
      #expect(!text.contains("555"), "\(text)")
      #expect(error.path.hasSuffix("secret_token"), "\(error)")
      #expect(error.found == "another value (hidden)" || error.found == "a repetition", "\(error)")
    }
  }

  @Test func passwordsAndTokensOfTheContractAreSecret() throws {
    let login = try #require(RPCRegistry.nova.message(named: "LoginRequest"))
    #expect(
      outcome(login, #"{"email":"a@b.c","password":12345678}"#)
        == "error: password: expected a string, found another value (hidden) (line 1, column 29)")
    let fields = RPCRegistry.nova.messages.flatMap { $0.descriptor.fields }
    #expect(fields.contains { $0.name == "password" && $0.isSecret })
    #expect(fields.filter { $0.name.hasSuffix("token") || $0.name == "password" }.allSatisfy { $0.isSecret })
  }

  @Test func foundationsErrorsHideTheValueToo() throws {
    for json in [#"{"secret_token":5551234}"#, #"{"secret_token":["5551234"]}"#] {
      let error = try #require(throws: DecodingError.self) {
        try JSONDecoder().decode(Node.self, from: Data(json.utf8))
      }
      #expect(!"\(error)".contains("555"), "\(error)")
    }
  }
}

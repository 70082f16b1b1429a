import Foundation
import NovaAuth
import NovaCoding
import NovaCore
import NovaRegistry
import Testing

/// Whatever is wrong with a secret field, the error does not contain its value.
@Suite struct SecretFieldTests {
  @Test(arguments: [
    // A value of another kind.
    #"{"secret_token":5551234}"#, #"{"secret_token":[5551234]}"#, #"{"secret_token":{"a":"5551234"}}"#,
    #"{"secret_token":tr5551234}"#,
    // Broken strings, including one with an unescaped quote.
    #"{"secret_token":"5551234"#, #"{"secret_token":"5551234\x5551234"}"#, #"{"secret_token":"ab"5551234"}"#,
    #"{"secret_token":"ab" "5551234"}"#, #"{"secret_token":'5551234'}"#, #"{"secret_token":"ab"5551234,"id":""}"#,
    // Something is missing before the value.
    #"{"secret_token" "5551234"}"#, #"{"secret_token"5551234}"#, #"{"secret_token"="5551234"}"#,
    // Words that start like null.
    #"{"secret_token":n5551234}"#, #"{"secret_token":null5551234}"#, #"{"secret_token":nul"5551234"}"#,
    #"{"secret_token":null "5551234"}"#,
    // The field occurs twice.
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

  /// As with `response_body`.
  @Test(arguments: [#"5551234"#, #"["5551234"]"#, #""ab"5551234"#]) func aBodyOfOneSecretFieldIsHidden(_ body: String)
    throws
  {
    let index = try #require(Node.descriptor.fields.firstIndex { $0.name == "secret_token" })
    let error = try #require(throws: ProtoJSONError.self) {
      var hasNoField = false
      return try Node(jsonUTF8: Array(body.utf8), ofField: index, hasNoField: &hasNoField)
    }
    #expect(!"\(error) \(String(reflecting: error))".contains("555"), "\(error)")
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

  @Test func messagesHideThemWhenPrinted() throws {
    let node = Node(id: "n-1", secretToken: "5551234", children: [Node(secretToken: "5551234")])
    let secrets = try Secrets(
      jsonUTF8: Array(
        #"{"codes":["5551234"],"tokens":{"5551234":"5551234"},"pin":5551234,"node":{"id":"5551234"}}"#.utf8))
    for message in [node, secrets] as [any ProtoMessage] {
      var dumped = ""
      dump([message], to: &dumped)
      for text in ["\(message)", String(reflecting: message), "\([message])", "\(["a": Optional(message)])", dumped] {
        #expect(!text.contains("555") && text.contains("****"), "\(text)")
      }
    }
    #expect("\(node)".contains(#"id: "n-1""#))
    let login = LoginRequest(email: "a@b.example", password: "5551234")
    #expect("\(login)" == #"LoginRequest(email: "a@b.example", password: ****)"#)
    #expect("\(LoginRequest(email: "a"))" == #"LoginRequest(email: "a", password: "")"#, "nothing is no secret")
    for message in RPCRegistry.nova.messages {
      #expect((message is any SecretHolding.Type) == message.descriptor.fields.contains { $0.isSecret }, "\(message)")
    }
  }

  @Test func foundationsErrorsHideTheValueToo() throws {
    for json in [#"{"secret_token":5551234}"#, #"{"secret_token":["5551234"]}"#] {
      let error = try #require(throws: DecodingError.self) {
        try JSONDecoder().decode(Node.self, from: Data(json.utf8))
      }
      #expect(!"\(error)".contains("555"), "\(error)")
    }
  }

  /// The keys of a secret map, and anything nested in a secret message, are secret, too.
  @Test(arguments: [
    (#"{"key":"555*"}"#, "key"), (#"{"tokens":{"555":1}}"#, "tokens"), (#"{"tokens":{"555":"","555":""}}"#, "tokens"),
    (#"{"tokens":{"a":5551234}}"#, "tokens"), (#"{"tokens":{555:1}}"#, "tokens"),
    (#"{"codes":["a",5551234]}"#, "codes"),
    (#"{"codes":["a" "5551234"]}"#, "codes"), (#"{"pin":"555 1234"}"#, "pin"), (#"{"pin":5551234567}"#, "pin"),
    (#"{"pin":"5551234567"}"#, "pin"), (#"{"node":{"leaf":{"weight":"555 1234"}}}"#, "node"),
    (#"{"node":{"id":5551234}}"#, "node"), (#"{"node":"5551234"}"#, "node"), (#"{"color":5551234567}"#, "color"),
  ])
  func secretsOfEveryShapeAreHidden(_ json: String, _ field: String) throws {
    let error = try #require(throws: ProtoJSONError.self) { try Secrets(jsonUTF8: Array(json.utf8)) }
    #expect(error.path == field)
    #expect(!"\(error)".contains("555"), "\(error)")
    // Foundation refuses names without quotes before our code runs, and uses the last of two equal names.
    guard !json.contains("{555:"), !json.contains(#","555":"#), !json.contains(#""a" ""#) else { return }
    let other = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(Secrets.self, from: Data(json.utf8))
    }
    #expect(!"\(other)".contains("555"), "\(other)")
  }

  @Test func whatCannotBeWrittenIsHidden() throws {
    for secrets in [Secrets(pin: 555_123_456_789), Secrets(node: Node(leaf: Leaf(weight: 555_123_456_789)))] {
      let error = try #require(throws: ProtoJSONError.self) { try secrets.jsonUTF8() }
      #expect(["pin", "node"].contains(error.path))
      #expect(!"\(error)".contains("555"), "\(error)")
    }
  }
}

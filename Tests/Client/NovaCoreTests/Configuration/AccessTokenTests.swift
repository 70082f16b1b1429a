import NovaCore
import Testing

@Suite struct AccessTokenTests {
  @Test func doesNotShowItself() throws {
    let token = try AccessToken("s3cret.token")
    let configuration = try APIConfiguration(ConfigurationOverrides(environment: .staging, token: token))
    var shown = "\(token) \(String(reflecting: token)) \([token]) \(configuration) \(String(reflecting: configuration))"
    dump(token, to: &shown)
    dump(configuration, to: &shown)
    print(Optional(token) as Any, configuration.entries, to: &shown)
    #expect(!shown.contains("s3cret"))
    #expect(shown.contains("****"))
    #expect(token.secretValue == "s3cret.token")
  }

  @Test(arguments: ["", "a b", "a\r\nX-Admin: 1", "a\n", "a\u{0}", "a\u{7F}", "tökén", "Bearer abc", "\u{1B}[31m"])
  func refusesWhatMustNotBeInAHeader(_ text: String) {
    let error = #expect(throws: ConfigurationError.self) { try AccessToken(text) }
    let found = text.isEmpty ? "empty" : "****"
    #expect(
      error?.description
        == "token is \(found) (set in code): expected a token of visible ASCII characters, without spaces, line breaks "
        + "or the word Bearer")
  }
}

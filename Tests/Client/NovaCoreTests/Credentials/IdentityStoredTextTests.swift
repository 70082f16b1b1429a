import NovaCore
import Testing

/// Files of earlier versions have these texts.
@Suite struct IdentityStoredTextTests {
  @Test(
    arguments: [
      ("user:ada", .user("ada")), ("user:", .user("")), ("user:token:0a", .user("token:0a")),
      ("user:\u{301}é\n", .user("\u{301}é\n")), ("token:0a1b", .token(fingerprint: "0a1b")), ("", .anonymous),
    ] as [(String, Identity.Caller)])
  func callersAreText(_ text: String, _ caller: Identity.Caller) {
    #expect(Array(caller.storedText.utf8) == Array(text.utf8))
    #expect(Identity.Caller(storedText: text) == caller)
  }

  @Test(arguments: ["me", "user", "User:ada", " user:ada", "other:a", ":"])
  func otherTextsAreNoCallers(_ text: String) { #expect(Identity.Caller(storedText: text) == nil) }

  @Test(
    arguments: [
      ("user:ada at https://nova.example/api", .user("ada")),
      ("user:ada at work at https://nova.example/api", .user("ada at work")),
      ("user:a:b / \u{301} at https://nova.example/api", .user("a:b / \u{301}")),
      ("user: at https://nova.example/api", .user("")),
      ("token:0a1b at https://nova.example/api", .token(fingerprint: "0a1b")),
    ] as [(String, Identity.Caller)])
  func identitiesAreText(_ text: String, _ caller: Identity.Caller) {
    let identity = Identity(gateway: "https://nova.example/api", caller: caller)
    #expect(Array(identity.storedText.utf8) == Array(text.utf8))
    #expect(Identity(storedText: text) == identity)
  }

  @Test func nobodyIsNoText() {
    #expect(Identity(gateway: "https://nova.example", caller: .anonymous).storedText.isEmpty)
  }

  @Test(
    arguments: [
      "", "me", "user:ada", "user:ada at ", "ada at https://nova.example", "other:a at https://a", " at https://a",
      "user:ada\u{A0}at https://a", "at https://a", "user:adaat https://a",
    ])
  func otherTextsAreNoIdentities(_ text: String) { #expect(Identity(storedText: text) == nil) }
}

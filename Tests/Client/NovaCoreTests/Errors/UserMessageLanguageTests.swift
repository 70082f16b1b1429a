import Foundation
import NovaCore
import Testing

/// The sentences for users in the app's language.
@Suite struct UserMessageLanguageTests {
  private static let german = UserMessage.Language(appName: "Pookie") { key in
    ["error.networkError": "{app} ist nicht erreichbar. {app}!", "error.notFound": "Das gibt es nicht mehr."][key.name]
  }

  @Test func aTranslationReplacesTheSentence() {
    let (network, gone, busy) = (APIError(.networkError, "x"), APIError(.notFound, "x"), APIError(.serverError, "x"))
    UserMessage.withLanguage(Self.german) {
      #expect(UserMessage.text(of: network) == "Pookie ist nicht erreichbar. Pookie!")
      #expect(gone.userMessage == "Das gibt es nicht mehr.")
      #expect(gone.localizedDescription == gone.userMessage)
      #expect(busy.userMessage == "Pookie has a problem at the moment. Please try again later.")
      #expect("\(gone)" == "x", "logs stay in English")
    }
    #expect(network.userMessage == "NovaSocial cannot be reached. Please check your connection and try again.")
  }

  @Test func tasksKeepTheirLanguage() async {
    let error = APIError(.notFound, "x")
    let texts = await UserMessage.withLanguage(Self.german) {
      async let child = error.userMessage
      let task = Task { error.userMessage }
      return await [child, task.value, error.userMessage]
    }
    #expect(Set(texts) == ["Das gibt es nicht mehr."])
    let outside = await Task.detached { error.userMessage }.value
    #expect(outside == "This no longer exists.")
  }

  /// Names of apps and translations can contain anything.
  @Test(arguments: [
    ("{app}", "A", "A"), ("{app} {other}", "A", "A {other}"), ("{", "A", "{"), ("}{app", "A", "}{app"),
    ("{app}{app}", "{app}", "{app}{app}"), ("", "A", ""), ("{}", "A", "{}"),
    ("100 % {app}", "a\u{301}🏳️‍🌈", "100 % a\u{301}🏳️‍🌈"),
  ])
  func placeholders(in sentence: String, appName name: String, expected: String) {
    let language = UserMessage.Language(appName: name) { _ in sentence }
    UserMessage.withLanguage(language) { #expect(APIError(.notFound, "x").userMessage == expected) }
  }
}

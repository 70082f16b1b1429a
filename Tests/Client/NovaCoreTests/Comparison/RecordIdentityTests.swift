import NovaContent
import NovaCapture
import NovaTesting
import NovaUsers
import Testing

@testable import NovaCore

/// Which texts name the same record.
@Suite struct RecordIdentityTests {
  @Test(arguments: [
    ("p1", "p1", true), ("p1", "p2", false), ("1-23", "12-3", false), ("1-23", "123", false), ("aBcD", "AbCd", false),
    ("ABC-1", "abc-1", true), ("dQw4w9WgXcQ", "dqw4w9wgxcq", true), ("dQw4w9WgXcQ", "DQw4w9WgXcQ", false),
    ("6B29FC40-CA47-1067-B31D-00DD010662DA", "6b29fc40ca471067b31d00dd010662da", true),
    ("{6B29FC40-CA47-1067-B31D-00DD010662DA}", "6b29fc40-ca47-1067-b31d-00dd010662da", true),
    ("6b29fc40-ca47-1067-b31d-00dd010662da", "6b29fc40-ca47-1067-b31d-00dd010662db", false),
    ("users/42", "42", true), ("urn:user:42", "42", true), ("projects/p/posts/7", "posts/7", true),
    ("posts/7", "users/7", false), ("posts/7", "posts/8", false), ("users/42", "43", false), ("a/7", "b:7", false),
    ("007", "7", false), ("", "7", false), ("/", "7", false), ("p 1", "p1", false), ("{p1}", "p1", false),
    ("\u{E9}", "e\u{301}", false), ("users/\u{E9}", "e\u{301}", false), ("K", "\u{212A}", false),
    ("\u{C9}", "e\u{301}", false),
    ("\u{C9}", "\u{E9}", true),
  ])
  func idsAreAlike(first: String, second: String, areAlike: Bool) {
    #expect(RecordIdentity.areAlike(first, second) == areAlike)
    #expect(RecordIdentity.areAlike(second, first) == areAlike)
  }

  /// Texts of a record can be equal to an id by chance; only its names stand for it.
  @Test func onlyNamesStandForARecord() {
    let user = UserProfile(
      id: "7", username: "Bruce", email: "b@nova.social", displayName: "Ada", bio: "u1", location: "x")
    for name in ["bruce", "@BRUCE", "b@nova.social", "me", "@me", "self", "~"] {
      #expect(RecordIdentity.isAlias(name, of: user), "\(name)")
    }
    for name in ["ada", "u1", "x", "7b", "@ada", ""] {
      #expect(!RecordIdentity.isAlias(name, of: user), "\(name)")
    }
    #expect(!RecordIdentity.isAlias("p1", of: Post(id: "p2", creatorId: "p1", content: "p1", title: "p1")))
    #expect(!RecordIdentity.isAlias("5", of: Something(id: 6, userId: "5", content: "5")))
    // An email is a name only if it is one.
    #expect(!RecordIdentity.isAlias("u1", of: UserProfile(id: "7", email: "u1")))
  }
}

import NovaFixtures
import Testing

@Suite struct SeedTests {
  @Test(arguments: ["nova1:0", "nova1:42", "nova1:18446744073709551615"])
  func writtenLinesAreReadBack(_ text: String) throws {
    #expect(try Seed(parsing: text).description == text)
    #expect(Seed(text) == (try Seed(parsing: text)))
  }

  @Test func aNumberIsASeedOfTheLatestScheme() { #expect(Seed(42).description == "nova1:42") }

  @Test(arguments: [
    ("", "expected nova1:"), ("42", "expected nova1:"), ("nova1", "expected nova1:"), ("nova:42", "expected nova1:"),
    ("nova2:42", "supported schemes are nova1"), ("nova99999999999999999999:1", "expected nova1:"),
    ("nova1:", "after the colon"), ("nova1:-1", "after the colon"), ("nova1:+1", "after the colon"),
    ("nova1:042", "after the colon"), ("nova1:18446744073709551616", "after the colon"),
    ("nova01:1", "expected nova1:"), ("abcd1:42", "expected nova1:"),
    ("nova1:４２", "after the colon"),
  ])
  func anythingElseIsRefused(_ text: String, _ reason: String) {
    #expect(Seed(text) == nil)
    do {
      _ = try Seed(parsing: text)
      Issue.record("it was read")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }
}

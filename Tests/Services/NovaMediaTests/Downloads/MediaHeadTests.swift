import NovaCore
import Testing

@testable import NovaMedia

@Suite struct MediaHeadTests {
  /// Some servers send an empty tag for every file.
  @Test(arguments: [
    ("\"v1\"", true), ("\"v\"", true), ("\"\"", false), ("W/\"v1\"", false), ("W/\"\"", false), ("\"", false),
    ("v", false),
  ])
  func onlyAStrongTagThatIsNotEmptyIsProof(_ tag: String, isProof: Bool) {
    #expect((MediaValidator(["ETag": tag]) != nil) == isProof)
  }
}

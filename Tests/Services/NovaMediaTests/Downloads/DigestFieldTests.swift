import NovaCore
import NovaCrypto
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Digests are compared, wherever they are in the headers, and whenever they come during a download.
@Suite(.hangLimit) struct DigestFieldTests {
  private static let file = someBytes(3000, seed: 1)

  private static func field(_ bytes: [UInt8]) -> String { (try? SHA256.digest(of: bytes)).map(DigestField.text) ?? "" }

  private static let long = "sha-512=:\(String(repeating: "A", count: 86))==:"

  /// Header lines, and whether they contain the digest of the file.
  static let lines: [([String], Bool)] = [
    ([field(file)], true), ([field([1])], false), ([long, field(file)], true), ([long, field([1])], false),
    (["\(long), \(field([1]))"], false), ([field(file), long], true), ([field([1]), long], false),
    // The last one counts.
    ([field([1]), field(file)], true), ([field(file), field([1])], false), (["\(field(file)), \(field([1]))"], false),
    ([long], true), (["sha-256=:AAAA:"], true), ([""], true),
  ]

  @Test(arguments: 0..<lines.count, ["Repr-Digest", "Content-Digest"])
  func allLinesCount(_ index: Int, name: String) async throws {
    let (lines, isRight) = Self.lines[index]
    let folder = try TemporaryFolder()
    let behavior = FileServer.Behavior(file: Self.file, headers: lines.map { "\(name): \($0)" })
    let error = try await withMedia(FileServer.script { _ in behavior }, resilience: .none) { media, _ in
      await apiError { try await media.download(url: "/1", to: "\(folder.path)/file") }
    }
    #expect((error == nil) == isRight && folder.names.contains("file") == isRight, "\(lines) \(error as Any)")
  }
}

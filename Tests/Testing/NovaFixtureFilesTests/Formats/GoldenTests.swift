import NovaCore
import NovaCrypto
import NovaFixtureFiles
import NovaFixtures
import NovaTestSupport
import Testing

/// The values of a scheme never change, so that a set can be reproduced years later. Its files change with the contract:
/// a new field of a record is in every file of that record.
///
/// A digest that changes for another reason means a new scheme.
@Suite struct GoldenTests {
  /// The digest of all files but the databases: the layout of SQLite's is its own, and ``SQLiteTests`` and
  /// ``PostgreSQLTests`` compare their contents.
  static let digests: [String: String] = [
    "1 csv wire": "1c30a2d0ced9756a2cfc9a2ad6a8830527778ddd3b3279ee1b6a930946df63c5",
    "42 csv wire": "8dcb39d08a0858c3850f1354f12746bf14bf390052000d995ce428f7547737f7",
    "18446744073709551615 csv wire": "801dcd914a100e730fc28c85fe5cd067bf14e51d99383322ab60015a647f97e8",
    "1 json camel": "4ab69619b0f24f8f72295728482d5ded297120d602fa200ae1f7143b5272c267",
    "42 json camel": "a3ff49e9a260b674301c6f2a8778086d701dcf53a680a97389fbdf39182757ab",
    "18446744073709551615 json camel": "a48c3382a5bc75203605ea04cfee58d58bf991493f5375af3f85ca5612bc3f70",
    "1 json canonical": "02b2fd45dbd1d3072d91d7936f9c989561b6392c9d77910c37455820716da48d",
    "42 json canonical": "40b40b15c344607b463760145f445aaac952f2df255e68ad26c8b497f8c32543",
    "18446744073709551615 json canonical": "07e5c9959aa3588f0dd8222cfbb8da3658bab4899108d8ea68b407e1c1a45d6a",
    "1 json defaults-omitted": "7d7c5ae0506cbfd9afe3e777ae01903926e4fde19efdc2df12bc4cf49e4ca99f",
    "42 json defaults-omitted": "da3dbfed6738a7df4227fa08d7fe5efeb399260258a16fc3548038e40d501ad0",
    "18446744073709551615 json defaults-omitted": "b0ef1f06c3e482a8d7f6c07424f01399dd3db4275edf366235f378f6089cc162",
    "1 json legacy-times": "3ee1e1f94e6fc2f0e04bd25c40c03bd09c5a2e46254d1e565683ec81dc1c1b02",
    "42 json legacy-times": "31fb77a70092cfb9b923e5b4b0edb79c2403b06b5fab45d808ef97eaf24ae857",
    "18446744073709551615 json legacy-times": "c6bfdecfe780f51b99d5076eff028038c1b8b5b3c813bea2810870ae9a844464",
    "1 json wire": "920ee9e3ac1a2169a7a019914995ff05d05f970f506afd82abe087f741a13ab8",
    "42 json wire": "fb178a2cce20a150442bf94ec38fbaec050bdbe240b73d0a237d6f17bd390364",
    "18446744073709551615 json wire": "1b303ab435671ec521ef1289e3f1d1fe7a4f89047a7a6bd2976f2fe33887b283",
    "1 ndjson camel": "9ecbc04916e45c2945e74a669312eae17bc4f7be9ee27ef04416364615d470e8",
    "42 ndjson camel": "bd7cc8e2ce876d7192b267711d09b1051fd9320a9c13cded534e17976da761b0",
    "18446744073709551615 ndjson camel": "408a78f1eac52044ef1e75d52642a326a60b4bc6b1746021e1ca49b852e53632",
    "1 ndjson canonical": "22e3e1332724e733edf88196221f1aa5250d54bc27adb32ac7da77e8409127c2",
    "42 ndjson canonical": "560c74d599412aa8b95e280b77959e8446b3c296318d8f90e32d2e09c6cf524f",
    "18446744073709551615 ndjson canonical": "64ff4eadea2982fb4a6cf624ab919793f795096433b9c3d8aa7b09a3701efa55",
    "1 ndjson defaults-omitted": "7667e6c326423b7e408aeaeb1fad18ecadd3bef88900bea8f7927b7fef087ba7",
    "42 ndjson defaults-omitted": "96d4d89a899e6307f98053acbbe456ff9593ac51b00e1a6cb7061873db145430",
    "18446744073709551615 ndjson defaults-omitted": "a67b3613166ae48301c6d4e60d189b6e5d9291b7e8ee519769e075be6bccd45e",
    "1 ndjson legacy-times": "d9d95fcb3a5e71b30731a2165c36e3f1588a0ab1a366977242f968e4676fb4cf",
    "42 ndjson legacy-times": "299849d494b0e7ded0c69ca08d2f541a8c4df89da3016055d627778a2a4ee8b9",
    "18446744073709551615 ndjson legacy-times": "4b278cf1e41cfc604aaad6052de46e15e3de52d89bf64cb4786bcbf50b40bee3",
    "1 ndjson wire": "1b9cc720208f82b1000e0ad8e5ea145744821d54687dcc20712a7cb875be1cb2",
    "42 ndjson wire": "b41299adc4293d54a82f5ed01516349062152a7e8fbfc764b023ba769f849eed",
    "18446744073709551615 ndjson wire": "0ed8c71e18281b5869ab46dfdaf50fd95d28d7c67d3f82952ebe13022aa238c1",
    "1 proto-binary wire": "6c11383cf5fedb2236067bf7c75be03174bcdcabcd286f6361a5164c334317dd",
    "42 proto-binary wire": "b9bc4f805a2d2c67dca445cbccf4519470cb30aa1a32dc2a20e72e1f14a16941",
    "18446744073709551615 proto-binary wire": "f006bbdf8a5c3b73f35416384257fda6b6b45a4c3f38edfb26d27da63a8905c2",
  ]

  private static let cases: [(seed: UInt64, format: FixtureFormat, dialect: FixtureDialect)] = [1, 42, .max].flatMap {
    seed in
    FixtureFormat.allCases.filter { $0 != .sqlite && $0 != .postgresql }.flatMap { format in
      (format.isJSON ? FixtureDialect.allCases : [.wire]).map { (seed, format, $0) }
    }
  }

  @Test(arguments: cases)
  func bytesMatchTheGoldenDigests(seed: UInt64, format: FixtureFormat, dialect: FixtureDialect) async throws {
    let manifest = try await withDirectory {
      try smallSet(seed: seed, formats: [format], dialect: dialect).write(to: "\($0)/set")
    }
    // Scripts have no values.
    let files = manifest.files.filter { !$0.name.hasSuffix(".sql") }
    let lines = files.map { "\($0.name) \($0.sha256)\n" }.joined()
    let digest = Hexadecimal.encode(try SHA256.digest(of: Array(lines.utf8)))
    let name = "\(seed) \(format.rawValue) \(dialect.rawValue)"
    let problem = try GoldenDigest.problem(of: name, digest, expected: Self.digests[name])
    #expect(problem == nil)
  }

  @Test func everyRunGivesTheSame() async throws {
    try await withDirectory { path in
      for name in ["a", "b"] { try smallSet(formats: FixtureFormat.allCases).write(to: "\(path)/\(name)") }
      let (one, other) = try (contents(of: "\(path)/a"), contents(of: "\(path)/b"))
      #expect(one.keys.sorted() == other.keys.sorted())
      for (name, bytes) in one { #expect(other[name] == bytes, "\(name)") }
      #expect(try FixtureDiff.run("\(path)/a", "\(path)/b").isEmpty)
    }
  }

  @Test func theManifestHoldsOnlyWhatWasAskedFor() async throws {
    try await withDirectory { path in
      let written = try smallSet(formats: [.ndjson], dialect: .wire, entities: [.users, .posts]).write(
        to: "\(path)/set")
      #expect(try FixtureManifest(reading: "\(path)/set") == written)
      let text = try text("\(path)/set/manifest.json")
      #expect(
        text.hasPrefix(
          #"{"kind":"nova-fixtures/1","scheme":"nova1","seed":"nova1:42","size":{"users":20,"follows_per_user":5,"#
            + #""posts_per_user":3,"likes_per_post":5,"comments_per_post":2},"formats":["ndjson"],"dialect":"wire","#
            + #""entities":["users","posts"],"files":["#), "\(text)")
      #expect(written.files.map(\.records) == [20, 60])
    }
  }
}

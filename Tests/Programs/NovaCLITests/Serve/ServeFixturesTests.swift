import Foundation
import NovaCore
import NovaFixtures
import NovaTestSupport
import Testing

/// `nova serve --fixtures`: the mock holds what a folder of fixtures was made of.
@Suite struct ServeFixturesTests {
  private static let size =
    #"{"users":30,"follows_per_user":10,"posts_per_user":3,"likes_per_post":5,"comments_per_post":2}"#

  /// Runs `body` with a folder that has this manifest and this file.
  private func withFolder(_ manifest: String?, _ body: (_ folder: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let manifest { try Data(manifest.utf8).write(to: folder.appendingPathComponent("manifest.json")) }
    try Data("abc".utf8).write(to: folder.appendingPathComponent("users.ndjson"))
    try await body(folder.path)
  }

  private func manifest(seed: String = "nova1:42", files: String = "[]") -> String {
    #"{"kind":"nova-fixtures/1","seed":"\#(seed)","size":\#(Self.size),"formats":["ndjson"],"dialect":"wire","#
      + #""entities":["users"],"files":\#(files)}"#
  }

  /// The SHA-256 of `abc`, and that of nothing.
  private static let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  private static let other = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private func file(_ name: String, _ digest: String) -> String {
    #"[{"name":"\#(name)","format":"ndjson","entity":"users","records":1,"bytes":3,"sha256":"\#(digest)"}]"#
  }

  @Test func itHoldsTheWorld() async throws {
    let world = try World(seed: Seed(42), users: 30)
    // A file that is not there is not asked for.
    let files = file("users.ndjson", Self.digest).dropLast() + "," + file("gone.csv", Self.other).dropFirst()
    try await withFolder(manifest(files: String(files))) { folder in
      try await withServe("--fixtures", folder) { url, run in
        #expect(run.output == "nova serve: listening on \(url) (fixtures nova1:42)\n")
        for user in [0, 7] {
          let id = world.userID(at: user)
          let list = try await nova("followers", id, "--all", "--base-url", url, "-o", "ids").output
          #expect(list.split(separator: "\n").map(String.init) == world.followers(ofUserAt: user).map(world.userID))
        }
      }
    }
  }

  /// The collection of a set, replayed against the set's server: each request gets the status that its test requires.
  @Test(arguments: [nil, "another-password"]) func itsCollectionCanBeReplayed(_ password: String?) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let options = password.map { ["--password", $0] } ?? []
    let made = try await ProgramRun(
      ["fixtures", "generate", "--users", "20", "--edge", "all", "--export", "postman", "--out", folder.path] + options
    ).result()
    #expect(made.status == 0, "\(made.errors)")
    let file = folder.appendingPathComponent("exports/postman/collection.json")
    let collection = try JSONValue(jsonUTF8: Array(try Data(contentsOf: file)))
    try await withServe("--fixtures", folder.path) { url, _ in
      let transport = CurlTransport()
      let results = try await PostmanReplay.run(
        collection, over: transport,
        overriding: ["base_url": url].merging(password.map { ["password": $0] } ?? [:]) { $1 })
      await transport.shutdown()
      let broken = results.filter { !$0.isKept }
      #expect(results.count > 500)
      #expect(broken.isEmpty, "\(broken.count): \(broken.prefix(20).map(\.description).joined(separator: "\n"))")
    }
    let manifest = try String(contentsOf: folder.appendingPathComponent("manifest.json"), encoding: .utf8)
    #expect(manifest.contains("password_key") == (password != nil) && !manifest.contains("another-password"))
  }

  @Test func shortPasswordsAreRefused() async throws {
    let run = try await nova("fixtures", "generate", "--out", "/nowhere", "--password", "short")
    #expect(run.status == 64 && run.errors.contains("invalid password: it has 5 bytes; expected 8 to 1,024"))
  }

  @Test func withAStateItGoesOnAndOnlyWithTheSameWorld() async throws {
    try await withFolder(manifest()) { folder in
      let state = folder + ".state"
      defer { try? FileManager.default.removeItem(atPath: state) }
      try await withServe("--fixtures", folder, "--state", state) { url, run in
        _ = try await nova("follow", "somebody-new", "user-1", "--base-url", url)
        run.signal(SIGTERM)
        _ = try await run.result()
      }
      try await withServe("--fixtures", folder, "--state", state) { url, _ in
        let first = try await nova("followers", "user-1", "--limit", "1", "--base-url", url, "-o", "ids").output
        #expect(first == "somebody-new\n")
      }
      let plain = try await nova("serve", "--port", "0", "--state", state)
      #expect(plain.status == 1 && plain.errors.contains("began with the data set world(nova1:42,30,10,3,5,2)"))
    }
  }

  @Test func seedAndFixturesContradictEachOther() async throws {
    let run = try await nova("serve", "--fixtures", "/tmp", "--seed", "7")
    #expect(run.status == 64 && run.errors.contains("--fixtures and --seed cannot be combined"))
    #expect(try await nova("serve", "--fixtures", "").status == 64)
  }

  /// Files whose reading never ends or blocks.
  @Test func onlyRegularFilesAreRead() async throws {
    let makers: [(name: String, make: (_ path: String) throws -> Void)] = [
      ("pipe", { #expect(mkfifo($0, 0o600) == 0) }),
      ("directory", { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) }),
      ("device", { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/zero") }),
      ("loop", { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0) }),
      ("dangling", { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0 + "-gone") }),
    ]
    for (name, make) in makers {
      for file in ["manifest.json", "users.ndjson"] {
        try await withFolder(manifest(files: self.file("users.ndjson", Self.digest))) { folder in
          try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
          try make("\(folder)/\(file)")
          let run = try await nova("serve", "--port", "0", "--fixtures", folder)
          #expect(run.status != 0 && run.output.isEmpty && run.errors.contains(file), "\(name) \(file): \(run)")
        }
      }
    }
  }

  @Test func whatIsWrongIsNamed() async throws {
    let cases: [(manifest: String?, status: Int32, reason: String)] = [
      (nil, 65, "has no manifest.json; expected a directory written by nova fixtures"),
      ("{", 65, "invalid manifest "),
      ("{}", 65, #"kind is missing; expected "nova-fixtures/1""#),
      (manifest().replacing(#""users":30,"#, with: ""), 65, "size.users is missing; expected a number"),
      (manifest(seed: "nova9:1"), 65, "manifest.json: seed: "),
      (manifest(seed: "nova9:1"), 65, "supported schemes are nova1"),
      (manifest().replacing("30", with: "0"), 65, "users is 0; expected 1 to 100000000"),
      (manifest(files: "7"), 65, "files is number 7; expected a list"),
      (manifest(files: file("../users.ndjson", Self.digest)), 65, "expected a path inside the directory"),
      (manifest(files: file("users.ndjson", Self.other)), 65, "users.ndjson was changed since it was written"),
    ]
    for (manifest, status, reason) in cases {
      try await withFolder(manifest) { folder in
        let run = try await nova("serve", "--port", "0", "--fixtures", folder)
        #expect(
          run.status == status && run.errors.contains(reason), "\(manifest ?? "none"): \(run.status) \(run.errors)")
        #expect(run.output.isEmpty)
      }
    }
  }
}

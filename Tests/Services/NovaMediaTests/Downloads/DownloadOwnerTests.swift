import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// One user's unfinished download is not continued for another user.
@Suite(.hangLimit) struct DownloadOwnerTests {
  private let file = someBytes(100_000)

  /// Sends a file to every caller, without identifying them, and breaks off the first response.
  private func withUsers(
    _ tokens: StoredToken, _ body: (MediaService, RawServer, TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let script = FileServer.script { [file] in FileServer.Behavior(file: file, resetsAfter: $0 == 0 ? 40_000 : nil) }
    try await withTransport(to: script) { transport, server in
      let client = try APIClient.test(
        transport, baseURL: server.url(""), tokens: tokens, resilience: .none,
        clock: ManualClock(autoAdvances: true))
      try await body(MediaService(client: client), server, folder)
    }
  }

  @Test(arguments: ["bob", "ada", nil]) func onlyItsUserContinues(_ next: String?) async throws {
    let tokens = StoredToken(try AccessToken("ada"))
    try await withUsers(tokens) { media, server, folder in
      let path = "\(folder.path)/file"
      #expect(await apiError { try await media.download(url: "/1", to: path) }?.code == .networkError)
      let left = try folder.bytes("file.part").count
      #expect(left > 0)
      tokens.current = try next.map { try AccessToken($0) }
      let done = try await media.download(url: "/1", to: path)
      #expect(done.resumedFrom == (next == "ada" ? left : 0))
      #expect(done.restart == (next == "ada" ? nil : DownloadRestart(reason: .differentCaller, byteCount: left)))
      #expect((server.requests.last?.header("Range") != nil) == (next == "ada"))
      #expect(try folder.bytes("file") == file)
    }
  }

  /// Even if all bytes exist, they do not complete another user's download.
  @Test func anotherUserCompletesNothing() async throws {
    let folder = try TemporaryFolder()
    try await withTransport(to: { try $0.respondToAll("403 Forbidden") }) { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""), token: "bob")
      let owner = PartOwner(Identity(gateway: server.url(""), caller: .user("ada")))
      let head = MediaHead(etag: "\"v1\"", validator: .etag("\"v1\""), total: file.count)
      let record = PartRecord(url: try HTTPURL(parsing: server.url("/1")), owner: owner, head: head)
      _ = try folder.write(file, to: "file.part")
      _ = try folder.write(record.json, to: "file.part.json")
      let error = await apiError {
        try await MediaService(client: client).download(url: "/1", to: "\(folder.path)/file")
      }
      #expect(error?.code == .permissionDenied)
      // Its own user may still continue it.
      #expect(folder.names == ["file.part", "file.part.json"])
    }
  }

  /// Records of earlier versions do not contain the caller that a gateway's bytes are for.
  @Test func aRecordWithoutOwnerIsNotContinued() async throws {
    let folder = try TemporaryFolder()
    let script = FileServer.script { [file] _ in FileServer.Behavior(file: file) }
    try await withMedia(script) { media, server in
      let head = MediaHead(etag: "\"v1\"", validator: .etag("\"v1\""), total: file.count)
      let record = PartRecord(url: try HTTPURL(parsing: server.url("/1")), head: head)
      _ = try folder.write(Array(file[..<500]), to: "file.part")
      _ = try folder.write(record.json, to: "file.part.json")
      let done = try await media.download(url: "/1", to: "\(folder.path)/file")
      #expect(done.restart == DownloadRestart(reason: .differentCaller, byteCount: 500))
    }
    #expect(try folder.bytes("file") == file)
  }

  /// A storage server receives no token: anyone with the URL can continue.
  @Test func aStorageServesEverybody() async throws {
    let folder = try TemporaryFolder()
    let tokens = StoredToken(try AccessToken("ada"))
    let script = FileServer.script { [file] in FileServer.Behavior(file: file, resetsAfter: $0 == 0 ? 40_000 : nil) }
    try await withTransport(to: script) { transport, storage in
      let client = try APIClient.test(
        transport, baseURL: "http://localhost:1", tokens: tokens, resilience: .none,
        clock: ManualClock(autoAdvances: true))
      let media = MediaService(client: client)
      _ = await apiError { try await media.download(url: storage.url("/1"), to: "\(folder.path)/file") }
      tokens.current = try AccessToken("bob")
      let done = try await media.download(url: storage.url("/1"), to: "\(folder.path)/file")
      #expect(done.wasResumed && done.restart == nil)
      #expect(storage.requests.allSatisfy { $0.header("Authorization") == nil })
    }
    #expect(try folder.bytes("file") == file)
  }

  /// If another user signs in while a body arrives, the download does not continue for them.
  @Test(arguments: [false, true]) func allRequestsAreOneCallers(asBytes: Bool) async throws {
    let tokens = StoredToken(try AccessToken("ada"))
    let folder = try TemporaryFolder()
    let bob = try AccessToken("bob")
    let file = file
    let script = FileServer.script { number in
      if number == 0 { tokens.current = bob }
      return FileServer.Behavior(file: file, resetsAfter: number == 0 ? 40_000 : nil)
    }
    try await withTransport(to: script) { transport, server in
      let client = try APIClient.test(
        transport, baseURL: server.url(""), tokens: tokens,
        resilience: Resilience(retry: .standard(attempts: 3, delay: .seconds(1))),
        clock: ManualClock(autoAdvances: true))
      let media = MediaService(client: client)
      let error = await apiError {
        if asBytes { return try await media.bytes(of: "/1", limit: .max).collect().count }
        return try await media.download(url: "/1", to: "\(folder.path)/file").byteCount
      }
      #expect(error?.code == .unauthorized)
      #expect(server.requests.map { $0.header("Authorization") } == ["Bearer ada"])
    }
  }

  /// The token of one call, which is not sent to any other origin.
  @Test func aTokenPerCall() async throws {
    let folder = try TemporaryFolder()
    let script = FileServer.script { [file] _ in FileServer.Behavior(file: file) }
    try await withMedia(script) { media, server in
      let token = try AccessToken("bob")
      let mine = media.with { $0.token = token }
      try await mine.download(url: "/1", to: "\(folder.path)/file")
      _ = try await mine.bytes(of: "/1", limit: .max).collect()
      #expect(server.requests.map { $0.header("Authorization") } == ["Bearer bob", "Bearer bob"])
    }
  }
}

import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// Uploads with faulty servers and networks: each ends with the same bytes at the server, or with one clear error.
@Suite struct UploadFaultTests {
  private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

  private func upload(_ server: UploadServer, _ kind: String, attempts: Int = 3) async throws -> APIError? {
    let folder = try TemporaryFolder()
    let source = try UploadSourceTests.source(kind, Self.bytes, in: folder)
    let media = try server.media(state: folder, attempts: attempts)
    return await apiError { try await media.upload(source, userId: "u").value }
  }

  /// Random faults at random steps: the digest of the whole is correct, and little is sent again.
  @Test(arguments: TestDepth.cases(0..<60 as Range<UInt64>, sample: 12))
  func anyFaultsEndInTheSameBytes(seed: UInt64) async throws {
    let kind = UploadSourceTests.kinds[Int(seed) % 4]
    let random = Locked(SeededGenerator(seed: seed))
    let faults = Locked(0)
    let server = UploadServer { step, _ in
      random.withLock { random in
        guard random.one(in: 3), faults.withLock({ $0 < 30 }) else { return nil }
        faults.withLock { $0 += 1 }
        let all: [UploadServer.Fault] =
          switch step {
          case .put: [.lostBefore, .lostAfter, .keeps(Int.random(in: 0...20_000, using: &random)), .status(503)]
          case .start, .get, .complete, .progress, .other: [.lostBefore, .lostAfter, .status(503)]
          }
        return all[Int.random(in: 0..<all.count, using: &random)]
      }
    }
    // A key makes StartUpload safe to repeat.
    let folder = try TemporaryFolder()
    let source = try UploadSourceTests.source(kind, Self.bytes, in: folder)
    let client = try APIClient.test(
      server, overrides: ConfigurationOverrides(stateDirectory: folder.path, recognizesIdempotencyKeys: true),
      token: nil,
      resilience: Resilience(retry: .standard(attempts: 40, delay: .milliseconds(1)), budget: nil, breaker: nil),
      clock: ManualClock(autoAdvances: true))
    _ = try await MediaService(client: client).upload(source, userId: "u").value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.onlyUpload?.status == "completed", "seed \(seed), \(kind)")
  }

  @Test(arguments: UploadSourceTests.kinds) func aByteThatChangesOnTheWayIsSentAgain(kind: String) async throws {
    let server = UploadServer { step, number in step == .put && [2, 3, 6].contains(number) ? .flipsByte : nil }
    #expect(try await upload(server, kind) == nil)
    #expect(server.onlyUpload?.bytes == Self.bytes && server.count(.put) == 13 + 3)
  }

  @Test func bytesThatAlwaysChangeAreAnError() async throws {
    let server = UploadServer { step, number in step == .put && number > 1 ? .flipsByte : nil }
    let error = try await upload(server, "file")
    #expect(error?.httpStatus == 422 && error?.message.contains("3 times in a row") == true, "\(error as Any)")
    #expect(server.count(.put) == 4)
  }

  /// The conflict response contains the position, so GetUpload is not needed.
  @Test func aConflictReportsThePosition() async throws {
    let server = UploadServer { step, number in step == .put && [2, 5].contains(number) ? .lostAfter : nil }
    #expect(try await upload(server, "file") == nil)
    #expect(server.onlyUpload?.bytes == Self.bytes && server.count(.get) == 0)
  }

  @Test(arguments: ["file", "bytes"]) func bytesThatTheServerLosesAreSentAgain(kind: String) async throws {
    let server = UploadServer { step, number in step == .put && [3, 7].contains(number) ? .loses(to: 5000) : nil }
    #expect(try await upload(server, kind) == nil)
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  @Test func aServerThatKeepsLosingBytesIsLeft() async throws {
    let server = UploadServer { step, number in step == .put && number.isMultiple(of: 3) ? .loses(to: 5000) : nil }
    let error = try await upload(server, "file")
    #expect(error?.code == .invalidResponse && error?.message.contains("keeps losing bytes") == true, "\(error as Any)")
    #expect(server.count(.put) < 20)
  }

  @Test func bytesOfASequenceCannotBeSentAgain() async throws {
    let server = UploadServer { step, number in step == .put && number == 4 ? .loses(to: 5000) : nil }
    let error = try await upload(server, "chunks")
    #expect(
      error?.code == .invalidResponse && error?.message.contains("and now reports 5000") == true, "\(error as Any)")
  }

  @Test(arguments: [413, 400, 403]) func aRefusalEndsTheUpload(status: Int) async throws {
    let server = UploadServer { step, number in step == .put && number == 2 ? .status(status) : nil }
    let error = try await upload(server, "file")
    #expect(error?.httpStatus == status && server.count(.put) == 2 && server.count(.complete) == 0)
  }

  /// Bytes that are not sent through the gateway are reported. A failed report has no effect.
  @Test(arguments: [false, true]) func aStorageIsReportedToTheGateway(fails: Bool) async throws {
    let server = UploadServer { step, _ in
      step == .put ? .answersNothing : step == .progress && fails ? .status(500) : nil
    }
    #expect(try await upload(server, "file", attempts: 1) == nil)
    let reports = server.current.reports
    #expect(fails || reports.last == Self.bytes.count && reports == reports.sorted(), "\(reports)")
    #expect(server.onlyUpload?.bytes == Self.bytes && server.count(.progress) >= 1)
  }

  @Test func theWholeHasADeadlineAndEachStepATimeout() async throws {
    let clock = ManualClock()
    let server = UploadServer { _, _ in
      clock.advance(by: .seconds(200))
      return nil
    }
    let source = MediaSource.bytes(Self.bytes)
    _ = try await server.media(options: CallOptions(timeout: .seconds(250)), clock: clock).upload(source, userId: "u")
      .value
    #expect(clock.elapsed > .seconds(2000))
    let other = UploadServer { _, _ in
      clock.advance(by: .seconds(200))
      return nil
    }
    let deadline = clock.now.advanced(by: .seconds(1000))
    let error = await apiError {
      try await other.media(options: CallOptions(deadline: deadline), clock: clock).upload(source, userId: "u").value
    }
    #expect(error?.code == .timeout, "\(error as Any)")
  }

  @Test func aCreationThatFailsKeepsTheBytes() async throws {
    let server = UploadServer { step, _ in step == .other ? .status(500) : nil }
    let media = try server.media(attempts: 1)
    let errors = [
      await apiError { try await media.createVideo(from: .bytes(Self.bytes), creatorId: "u", title: "Walk") },
      await apiError { try await media.createReel(from: .bytes(Self.bytes), creatorId: "u") },
    ]
    for (error, hint) in zip(errors, [#"createVideo with uploadId "up1""#, #"createReel with uploadId "up2""#]) {
      #expect(error?.code == .serverError && error?.message.contains(hint) == true, "\(error as Any)")
    }
    server.setScript { _, _ in nil }
    #expect(try await media.createVideo(from: .bytes(Self.bytes), creatorId: "u", title: "Walk").id == "video")
    #expect(try await media.createReel(from: .bytes(Self.bytes), creatorId: "u").id == "reel")
  }
}

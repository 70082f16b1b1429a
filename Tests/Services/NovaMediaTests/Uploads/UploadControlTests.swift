import NovaCore
import NovaTestSupport
import Observation
import Testing

@testable import NovaMedia

/// Pausing, resuming, and cancelling, and the progress that an upload shows.
@Suite(.hangLimit) struct UploadControlTests {
  private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func updatesNeverGoBackAndEnd() async throws {
    let server = UploadServer()
    let upload = try server.media().upload(.bytes(Self.bytes), userId: "u")
    var all: [UploadProgress] = []
    for await progress in upload.updates { all.append(progress) }
    #expect(all.map(\.uploadedBytes) == all.map(\.uploadedBytes).sorted())
    #expect(all.last == UploadProgress(uploadedBytes: 200_000, totalBytes: 200_000, state: .completed))
    var after: [UploadProgress] = []
    for await progress in upload.updates { after.append(progress) }
    #expect(after.map(\.state) == [.completed])
  }

  @Test func theProgressIsObservable() async throws {
    let server = UploadServer { step, _ in step == .start ? .hangs : nil }
    let upload = try server.media().upload(.bytes(Self.bytes), userId: "u")
    let (changes, signal) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = upload.progress
    } onChange: {
      signal.yield()
    }
    upload.pause()
    for await _ in changes { break }
    await upload.cancel()
    #expect(upload.progress.state == .cancelled)
  }

  @Test func aPauseEndsTheChunkAndAResumptionContinues() async throws {
    let folder = try TemporaryFolder()
    let (hanging, signal) = AsyncStream.makeStream(of: Void.self)
    let server = UploadServer { step, number in
      guard step == .put, number == 3 else { return nil }
      signal.yield()
      return .hangs
    }
    let upload = try server.media(state: folder).upload(
      .file(try folder.write(Self.bytes, to: "a")), userId: "u")
    for await _ in hanging { break }
    upload.pause()
    upload.pause()
    #expect(upload.progress.state == .paused && upload.progress.timeLeft == nil)
    upload.resume()
    upload.resume()
    _ = try await upload.value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.count(.get) >= 1 && server.count(.put) <= 14)
    upload.pause()
    upload.resume()
    await upload.cancel()
    #expect(upload.progress.state == .completed)
  }

  /// A pause does not extend the deadline: the upload fails when it is resumed, and another one can continue it.
  @Test func aDeadlineThatPassesDuringAPauseEndsTheUploadWhenItIsResumed() async throws {
    let (folder, clock) = (try TemporaryFolder(), ManualClock())
    let (hanging, signal) = AsyncStream.makeStream(of: Void.self)
    let server = UploadServer { step, number in
      guard step == .put, number == 3 else { return nil }
      signal.yield()
      return .hangs
    }
    let deadline = clock.now.advanced(by: .seconds(60))
    let upload = try server.media(state: folder, options: CallOptions(deadline: deadline), clock: clock).upload(
      .file(try folder.write(Self.bytes, to: "a")), userId: "u")
    for await _ in hanging { break }
    upload.pause()
    clock.advance(by: .seconds(61))
    #expect(upload.progress.state == .paused)
    upload.resume()
    let error = await apiError { try await upload.value }
    #expect(error?.code == .timeout && upload.progress.state == .failed, "\(error as Any)")
    #expect(server.count(.put) == 3)
    let media = try server.media(state: folder)
    let pending = try #require(try await media.pendingUploads().uploads.first)
    #expect(pending.uploadedBytes == 2 * 16_384)
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  @Test func aPausedUploadCanBeCancelled() async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, _ in step == .put ? .hangs : nil }
    let media = try server.media(state: folder)
    let upload = media.upload(.file(try folder.write(Self.bytes, to: "a")), userId: "u")
    for await progress in upload.updates where progress.state == .uploading { break }
    upload.pause()
    await upload.cancel()
    #expect(upload.progress.state == .cancelled)
    #expect(await apiError { try await upload.value }?.code == .cancelled)
    #expect(try await media.pendingUploads().uploads.isEmpty)
  }

  @Test func aWaitingTaskThatIsCancelledStopsTheUploadAndKeepsIt() async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, number in step == .put && number == 2 ? .hangs : nil }
    let media = try server.media(state: folder)
    let upload = media.upload(.file(try folder.write(Self.bytes, to: "a")), userId: "u")
    let waiter = Task { try await upload.value }
    for await progress in upload.updates where progress.uploadedBytes > 0 { break }
    waiter.cancel()
    #expect(await apiError { try await waiter.value }?.code == .cancelled)
    for await _ in upload.updates {}
    #expect(upload.progress.state == .cancelled)
    let pending = try #require(try await media.pendingUploads().uploads.first)
    #expect(pending.id == upload.id && pending.uploadedBytes == 16_384 && pending.uploadId == "up1")
    server.setScript { _, _ in nil }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.current.sentBytes <= Self.bytes.count + 16_384)
  }

  /// Many concurrent tasks in any order: the upload ends in one way, and its bytes are correct if it completed.
  @Test(arguments: 0..<30) func aStormHasOneOutcome(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let server = UploadServer()
    let media = try server.media(state: folder)
    let source = try UploadSourceTests.source(UploadSourceTests.kinds[Int(seed) % 4], Self.bytes, in: folder)
    let upload = media.upload(source, userId: "u")
    let cancels = seed % 3 == 0
    let actions = (0..<60).map { _ in Int.random(in: 0..<(cancels ? 20 : 19), using: &random) }
    await withTaskGroup { group in
      for action in actions {
        group.addTask {
          for _ in 0..<action { await Task.yield() }
          switch action {
          case 19: await upload.cancel()
          case ..<10: upload.pause()
          default: upload.resume()
          }
        }
      }
    }
    upload.resume()
    let result = await apiError { try await upload.value }
    for await _ in upload.updates {}
    switch upload.progress.state {
    case .completed: #expect(result == nil && server.onlyUpload?.bytes == Self.bytes, "seed \(seed)")
    case .cancelled: #expect(cancels && result?.code == .cancelled, "seed \(seed)")
    default: Issue.record("seed \(seed): \(upload.progress), \(String(describing: result))")
    }
    #expect(try await media.pendingUploads() == PendingUploads(uploads: [], dropped: []))
  }

  @Test func theRateIsThatOfTheLastSeconds() {
    let start = ContinuousClock.now
    var rate = UploadRate()
    #expect(rate.bytesPerSecond == nil)
    rate.note(0, at: start)
    #expect(rate.bytesPerSecond == nil)
    // A chunk that takes longer than the window.
    rate.note(1000, at: start + .seconds(100))
    #expect(rate.bytesPerSecond == 10)
    for second in 1...20 { rate.note(1000 + second * 500, at: start + .seconds(100 + second)) }
    #expect(rate.bytesPerSecond == 500)
    rate.note(100, at: start + .seconds(130))
    #expect(rate.bytesPerSecond == nil)
    rate.reset()
    #expect(rate.bytesPerSecond == nil)
    let progress = UploadProgress(uploadedBytes: 100, totalBytes: 1100, bytesPerSecond: 100, state: .uploading)
    #expect(progress.timeLeft == .seconds(10) && progress.fractionCompleted == 100.0 / 1100)
  }

  @Test func theRateIsMeasuredOnTheClientsClock() async throws {
    let clock = ManualClock()
    let server = UploadServer { step, _ in
      if step == .put { clock.advance(by: .seconds(2)) }
      return nil
    }
    let bytes = [UInt8](repeating: 1, count: 12 * 16_384)
    let upload = try server.media(clock: clock).upload(.bytes(bytes), userId: "u")
    let waiter = Task { try await upload.value }
    for await progress in upload.updates {
      if let rate = progress.bytesPerSecond { #expect(abs(rate - 8192) < 1, "\(progress)") }
    }
    _ = try await waiter.value
  }
}

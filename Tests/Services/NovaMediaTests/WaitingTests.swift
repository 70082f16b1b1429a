import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

@Suite struct WaitingTests {
  private let clock = ManualClock(autoAdvances: true)

  /// A service whose server sends one body after the other, and repeats the last one.
  private func media(_ answers: [(Int, String)]) throws -> (service: MediaService, transport: RecordingTransport) {
    let transport = RecordingTransport { number, _ in
      let (status, body) = answers[min(number, answers.count - 1)]
      return HTTPResponse(
        status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    return (MediaService(client: try .test(transport, clock: clock), options: CallOptions()), transport)
  }

  private static func video(_ status: String, url: String = "") -> (Int, String) {
    (200, #"{"found":true,"video":{"id":"v","status":"\#(status)","cdn_url":"\#(url)"}}"#)
  }

  private static func reel(_ members: String) -> (Int, String) {
    (200, #"{"found":true,"reel":{"id":"r",\#(members)}}"#)
  }

  @Test func readsUntilTheVideoIsProcessed() async throws {
    let (media, transport) = try media([
      Self.video("uploading"), Self.video("Processing"), Self.video("transcoding"), Self.video("published"),
    ])
    let video = try await media.waitUntilProcessed(video: "v")
    #expect(video.status == "published")
    #expect(transport.requests.count == 4)
    // Three quarters of 0.5 s, 0.75 s, and 1.125 s: the random number of tests is 0.5.
    #expect(clock.elapsed == .milliseconds(1781) + .microseconds(250))
    #expect(transport.requests.allSatisfy { $0.url.path.hasSuffix("/media/video") })
  }

  @Test func aVideoThatIsProcessedNeedsOneRead() async throws {
    for status in ["published", "ready", "completed", "archived", "a later version's"] {
      let (media, transport) = try media([Self.video(status)])
      #expect(try await media.waitUntilProcessed(video: "v").status == status)
      #expect(transport.requests.count == 1)
    }
    let (media, transport) = try media([Self.video(""), Self.video("", url: "https://cdn.example/v")])
    #expect(try await media.waitUntilProcessed(video: "v").cdnUrl == "https://cdn.example/v")
    #expect(transport.requests.count == 2)
  }

  @Test func failedProcessingIsAnError() async throws {
    for status in ["failed", "ERROR", "rejected"] {
      let (media, transport) = try media([Self.video("processing"), Self.video(status)])
      let error = await apiError { try await media.waitUntilProcessed(video: "v") }
      #expect(error?.code == .failedPrecondition && error?.rpc == "media.GetVideo")
      #expect(error?.message.hasPrefix("processing failed: video \"v\" has the status ") == true)
      #expect(transport.requests.count == 2)
    }
  }

  @Test func aVideoThatIsGoneIsAnError() async throws {
    let (media, transport) = try media([Self.video("processing"), (200, #"{"found":false}"#)])
    let error = await apiError { try await media.waitUntilProcessed(video: "v") }
    #expect(error?.code == .notFound && error?.message.contains("video \"v\"") == true)
    #expect(transport.requests.count == 2)
  }

  @Test func reelsAreProcessedOnceTheyArePublished() async throws {
    let (media, transport) = try media([
      Self.reel(#""status":"processing","processing_progress":50"#),
      Self.reel(#""status":"published","published_at":7"#),
    ])
    #expect(try await media.waitUntilProcessed(reel: "r").publishedAt == 7)
    #expect(transport.requests.count == 2)
  }

  @Test func theFailedJobsErrorIsPassedOn() async throws {
    let job = #"{"target_quality":"720p","status":"failed","error":{"code":"BAD_CODEC","message":"no"}}"#
    let (media, _) = try media([Self.reel(#""status":"processing","failed_at":9,"transcode_jobs":[\#(job)]"#)])
    let error = await apiError { try await media.waitUntilProcessed(reel: "r") }
    #expect(error?.code == .failedPrecondition && error?.server?.code == "BAD_CODEC")
    #expect(error?.message.contains("reel \"r\"") == true)
  }

  @Test(arguments: [true, false])
  func oneLimitEndsTheWholeWait(asTimeout: Bool) async throws {
    let (media, transport) = try media([Self.video("processing")])
    let now = clock.now
    let limited = media.with {
      if asTimeout { $0.timeout = .seconds(20) } else { $0.deadline = now.advanced(by: .seconds(20)) }
    }
    let error = await apiError { try await limited.waitUntilProcessed(video: "v") }
    #expect(error?.code == .timeout && error?.rpc == "media.GetVideo")
    #expect(error?.message.contains("before video \"v\" was processed") == true, "\(String(describing: error))")
    #expect(clock.elapsed > .seconds(19) && clock.elapsed <= .seconds(20))
    #expect(transport.requests.count < 25)
    #expect(transport.requests.allSatisfy { $0.limits.totalTimeout <= .seconds(20) })
  }

  @Test func withoutALimitItEndsAfterTheLongestTransfer() async throws {
    let (media, _) = try media([Self.video("processing")])
    let error = await apiError { try await media.waitUntilProcessed(video: "v") }
    #expect(error?.code == .timeout)
    #expect(clock.elapsed > .seconds(299) && clock.elapsed <= .seconds(300))
  }

  @Test func failuresThatPassDoNotEndIt() async throws {
    let (media, transport) = try media(
      Array(repeating: (503, ""), count: 5) + [Self.video("processing")] + Array(repeating: (503, ""), count: 5)
        + [Self.video("published")])
    #expect(try await media.waitUntilProcessed(video: "v").status == "published")
    #expect(transport.requests.count == 12)
  }

  @Test func tooManyFailuresDo() async throws {
    let (media, transport) = try media([(503, "")])
    let error = await apiError { try await media.waitUntilProcessed(video: "v") }
    #expect(error?.code == .unavailable)
    #expect(transport.requests.count == 6)
  }

  @Test func otherFailuresEndItAtOnce() async throws {
    let (media, transport) = try media([(403, "")])
    let error = await apiError { try await media.waitUntilProcessed(video: "v") }
    #expect(error?.code == .permissionDenied)
    #expect(transport.requests.count == 1)
  }

  @Test func aCancelledTaskStopsWaiting() async throws {
    let still = ManualClock()
    let transport = RecordingTransport(#"{"found":true,"video":{"id":"v","status":"processing"}}"#)
    let media = MediaService(client: try .test(transport, clock: still), options: CallOptions())
    let task = Task { try await media.waitUntilProcessed(video: "v") }
    await still.waitForSleepers(1)
    task.cancel()
    let error = await apiError { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(transport.requests.count == 1)
  }
}

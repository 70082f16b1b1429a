import NovaCore
import NovaLibc
import NovaTestSupport
import Testing

@testable import NovaTracking

@Suite(.hangLimit) struct SenderLeaseTests {
  @Test func oneTrackerHasIt() throws {
    let folder = try TemporaryFolder()
    let directory = TrackingDirectory(path: folder.path)
    do {
      let first = SenderLease(directory)
      #expect(first != nil && SenderLease(directory) == nil)
      withExtendedLifetime(first) {}
    }
    #expect(SenderLease(directory) != nil)
  }

  /// A refused lease closes its descriptor exactly once: a second close could hit a file that another thread has
  /// opened.
  @Test func aRefusedLeaseClosesNothingElse() async throws {
    let folder = try TemporaryFolder()
    let directory = TrackingDirectory(path: folder.path)
    let first = SenderLease(directory)
    let lostCount = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        for _ in 0..<20_000 { _ = SenderLease(directory) }
        return 0
      }
      group.addTask {
        (0..<20_000).count { _ in
          let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
          defer { close(descriptor) }
          sched_yield()
          return fcntl(descriptor, F_GETFD) < 0
        }
      }
      return await group.reduce(0, +)
    }
    #expect(lostCount == 0)
    withExtendedLifetime(first) {}
  }
}

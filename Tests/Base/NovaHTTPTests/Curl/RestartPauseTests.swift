import NovaTestSupport
import Testing

@testable import NovaHTTP

/// How often, and at what intervals, a request is sent again if an HTTP/2 server has not processed it.
@Suite struct RestartPauseTests {
  @Test func onlyAServerThatProcessesOthersIsAskedAgainAtOnce() {
    for random in [0, 0.5, 0.999] {
      #expect(CurlTransfer.pause(restartCount: 1, withoutProgress: 1, random: random) == nil)
      var last = Duration.zero
      for count in 2...6 {
        let pause = CurlTransfer.pause(restartCount: count, withoutProgress: count, random: random)
        #expect((pause ?? .zero) >= .milliseconds(50) && (pause ?? .zero) >= last, "\(count) \(random)")
        last = pause ?? .zero
      }
      // While other requests get responses, this is the first restart in a row.
      for count in 1...30 {
        #expect(CurlTransfer.pause(restartCount: count, withoutProgress: 1, random: random) == nil)
      }
      for count in 31...100 {
        let pause = CurlTransfer.pause(restartCount: count, withoutProgress: 1, random: random) ?? .zero
        #expect(pause >= .milliseconds(50) && pause <= .seconds(2), "\(count) \(random)")
      }
    }
  }
}

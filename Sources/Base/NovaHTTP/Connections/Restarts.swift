/// How often a request was sent again that the server did not process.
///
/// A busy server refuses faster than it responds, so a few restarts prove nothing while it responds to other requests.
/// A server that responds to none is left alone.
struct Restarts {
  /// The most restarts of one request.
  static let maximum = 100

  private(set) var count = 0
  private var countSinceResponse = 0
  /// The number of responses that had arrived at the last restart.
  private var responseCount = 0

  /// How many of them were made since the server last responded to any request.
  func countWithoutResponse(after responses: Int) -> Int { responses > responseCount ? 0 : countSinceResponse }

  /// - Parameter responses: the number of responses that have arrived.
  mutating func add(after responses: Int) {
    count += 1
    countSinceResponse = countWithoutResponse(after: responses) + 1
    responseCount = responses
  }
}

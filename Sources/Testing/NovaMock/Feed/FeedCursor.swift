import NovaCore

/// The start of the next page of a feed: after a position, not after a number of posts, so that new posts shift
/// nothing.
///
/// Its text contains a checksum over itself, the user, and the algorithm, so that invalid cursors and cursors of other
/// feeds are rejected.
struct FeedCursor: Equatable {
  let place: FeedPlace

  init(after place: FeedPlace) { self.place = place }

  /// Parses a cursor; nil if it does not belong to this feed.
  init?(_ text: String, user: String, _ algorithm: FeedAlgorithm) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let score = UInt64(parts[0], radix: 36), let post = Int32(parts[1], radix: 36) else {
      return nil
    }
    place = FeedPlace(score: Double(bitPattern: score), post: post)
    guard self.text(user: user, algorithm).hasSameBytes(as: text) else { return nil }
  }

  func text(user: String, _ algorithm: FeedAlgorithm) -> String {
    let score = String(place.score.bitPattern, radix: 36)
    let post = String(place.post, radix: 36)
    let check = FNV1a.hash(of: "\(score)-\(post)-\(algorithm.rawValue)-\(user)")
    return "\(score)-\(post)-\(String(check, radix: 36))"
  }
}

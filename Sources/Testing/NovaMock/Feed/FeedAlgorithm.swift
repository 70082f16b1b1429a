/// The order of a feed.
///
/// No score depends on the time of the request, so a post keeps its position while its counts stay the same, and a
/// cursor stays valid.
enum FeedAlgorithm: String, CaseIterable, Sendable {
  /// Newest first: the score is the time.
  case chronological = "ch"
  /// Most engagement first.
  case engagement = "v2"
  /// Both combined: doubling the engagement counts as much as twelve hours.
  case hybrid

  func score(createdAt: Int64, _ counts: PostCounts) -> Double {
    switch self {
    case .chronological: Double(createdAt)
    case .engagement: Engagement.level(counts)
    case .hybrid: Engagement.level(counts) + Double(createdAt) / 43_200
    }
  }
}

/// The engagement of a post.
enum Engagement {
  /// Returns the level of engagement. A comment counts as two likes, a share as three; each doubling adds about 1.
  static func level(_ counts: PostCounts) -> Double {
    logarithm(1 + Double(counts.likes) + 2 * Double(counts.comments) + 3 * Double(counts.shares))
  }

  /// The binary logarithm, interpolated linearly between powers of two. Its exact arithmetic gives the same scores on
  /// every machine, unlike a C library's logarithm.
  private static func logarithm(_ value: Double) -> Double { Double(value.exponent) + value.significand - 1 }
}

/// A post's position in a feed: by score, then newest first.
struct FeedPlace: Equatable, Sendable {
  let score: Double
  let post: Int32

  func isBefore(_ other: FeedPlace) -> Bool {
    score == other.score ? post > other.post : score > other.score
  }
}

/// Collects the first positions, in order.
struct FirstPlaces {
  private(set) var places: [FeedPlace] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func consider(_ place: FeedPlace) {
    if places.count == limit {
      guard let last = places.last, place.isBefore(last) else { return }
      places.removeLast()
    }
    var index = places.count
    while index > 0, place.isBefore(places[index - 1]) { index -= 1 }
    places.insert(place, at: index)
  }
}

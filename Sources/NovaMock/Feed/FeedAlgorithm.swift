/// How a feed is ordered.
///
/// No score depends on the time of the request, so a post keeps its place while its counts do, and a cursor stays valid.
enum FeedAlgorithm: String, CaseIterable, Sendable {
  /// Newest first: the score is the time.
  case chronological = "ch"
  /// What moves people most, first.
  case engagement = "v2"
  /// Both: twice the engagement weighs as much as twelve hours.
  case hybrid

  func score(createdAt: Int64, _ counts: PostCounts) -> Double {
    switch self {
    case .chronological: Double(createdAt)
    case .engagement: Engagement.level(counts)
    case .hybrid: Engagement.level(counts) + Double(createdAt) / 43_200
    }
  }
}

/// How much a post moves people.
enum Engagement {
  /// A comment counts as two likes, a share as three; each doubling adds about 1.
  static func level(_ counts: PostCounts) -> Double {
    logarithm(1 + Double(counts.likes) + 2 * Double(counts.comments) + 3 * Double(counts.shares))
  }

  /// The binary logarithm, with straight lines between the powers of two: exact arithmetic, so that scores are the same
  /// on every machine, as a C library's logarithm need not be.
  private static func logarithm(_ value: Double) -> Double { Double(value.exponent) + value.significand - 1 }
}

/// A post's place in a feed: by score, and the newer one first where scores are equal.
struct FeedPlace: Equatable, Sendable {
  let score: Double
  let post: Int32

  func isBefore(_ other: FeedPlace) -> Bool {
    score == other.score ? post > other.post : score > other.score
  }
}

/// Keeps the first few of many places, in order.
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

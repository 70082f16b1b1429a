public import NovaFeed

extension World {
  /// How many posts a feed has at most, where nobody asks for another number.
  public static let usualFeedLength = 20

  /// A user's feed: what those they follow have published for them to see, but for the muted; the best first.
  ///
  /// - Parameters:
  ///   - index: whose feed.
  ///   - limit: how many posts at most. Default ``usualFeedLength``, 20.
  public func feed(ofUserAt index: Int, limit: Int = usualFeedLength) -> [FeedPost] {
    FeedReader(self).feed(ofUserAt: index, limit: limit)
  }
}

/// What an item of a list is recognized by: its id, or the whole item if it has none. Counts of a post change while a list
/// is read; the post is the same.
package enum ItemIdentity {
  /// A number that is the same for the same item, within this process.
  package static func key<Item: Hashable>(of item: Item) -> Int {
    if let text = item as? String { return text.byteHash }
    if let item = item as? any Identifiable, let key = key(ofEntity: item) { return key }
    return item.hashValue
  }

  /// The same for an item of any type; nil if it cannot be recognized.
  static func key(ofAny item: Any) -> Int? { (item as? any Hashable).map { key(of: $0) } }

  private static func key(ofEntity item: some Identifiable) -> Int? { key(ofID: item.id) }

  /// Nil for an id that the server has left out: such items are not the same.
  private static func key(ofID id: some Hashable) -> Int? {
    // By its bytes: other spellings of the same characters are other ids.
    if let text = id as? String { return text.isEmpty ? nil : text.byteHash }
    if let number = id as? Int64, number == 0 { return nil }
    return id.hashValue
  }
}

extension Page {
  /// What is at each position that the page covers; nil if that is not known, because items were left out.
  package var keys: [Int]? {
    if let positionIDs { return positionIDs.map(\.byteHash) }
    return coveredCount == items.count ? items.map { ItemIdentity.key(of: $0) } : nil
  }
}

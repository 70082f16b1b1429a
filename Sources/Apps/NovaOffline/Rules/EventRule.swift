package import NovaEvents

/// What an event says about relations, counts, and lists. Generated from `gateway.yaml`.
package struct EventRule: Sendable {
  /// The type of the event, such as `like.created`.
  package let type: String
  /// The relation that the event sets or clears; nil for none.
  package let relation: (@Sendable (Event) -> RelationName)?
  package let isRelated: Bool
  /// The counts in the event, by their names there.
  package let counts: [(field: String, name: @Sendable (Event) -> CountName)]
  /// The kind of list that has a new item at an unknown place, and the first key of such lists; nil for none.
  package let doubts: (list: String, subject: (@Sendable (Event) -> String)?)?
  /// The reads whose stored answers lose their age.
  package let expires: [String]

  package init(
    _ type: String, relation: (@Sendable (Event) -> RelationName)? = nil, isRelated: Bool = false,
    counts: [(field: String, name: @Sendable (Event) -> CountName)] = [],
    doubts: (list: String, subject: (@Sendable (Event) -> String)?)? = nil, expires: [String] = []
  ) {
    self.type = type
    self.relation = relation
    self.isRelated = isRelated
    self.counts = counts
    self.doubts = doubts
    self.expires = expires
  }
}

package import NovaEvents

/// The relations, counts, and lists that an event is about. Generated from `gateway.yaml`.
package struct EventRule: Sendable {
  /// The type of the event, such as `like.created`.
  package let type: String
  /// The relation that the event sets or clears; nil for none.
  package var relation: (@Sendable (Event) -> RelationName)?
  package var isRelated = false
  /// The counts in the event, by their names there.
  package var counts: [(field: String, name: @Sendable (Event) -> CountName)] = []
  /// The kind of list that has a new item at an unknown place, and the first key of such lists; nil for none.
  package var doubts: (list: String, subject: (@Sendable (Event) -> String)?)?
  /// The reads whose stored answers lose their age.
  package var expires: [String] = []
}

/// What the items of a list belong to: the field of an item, and the field of the request that has the same value.
public struct ItemOwner: Sendable, Hashable {
  /// The field of an item, by its name in `Proto/`.
  public let field: String
  /// The field of the request.
  public let requestField: String

  /// Creates a relation.
  public init(field: String, requestField: String) {
    (self.field, self.requestField) = (field, requestField)
  }
}

/// The records that a request names, where the items of the response, or the keys of its map, are about them: the ids of a
/// batch, or the owner of a list.
package struct NamedItems: Sendable {
  enum Relation: Sendable {
    /// All items have the id that the request has.
    case owner
    /// Each item has one of the ids that the request has.
    case member
  }

  let relation: Relation
  /// The place of the id or ids among the request's fields.
  let requestField: Int
  /// The place of the items among the response's fields.
  let responseField: Int
  /// The item's field with the id.
  let field: String
  /// What the ids name, as a noun.
  let noun: String

  /// Finds out what a request names.
  ///
  /// - Parameters:
  ///   - ids: the request's field with the ids of a batch; nil for another request.
  ///   - owner: what the items belong to; nil if that is not known.
  /// - Returns: nil if items cannot be compared with what was asked for.
  package init?(
    ids: String?, owner: ItemOwner?, effect: RPCEffect, request: MessageDescriptor, response: MessageDescriptor
  ) {
    guard effect == .noSideEffects else { return nil }
    if let owner {
      let items = response.fields.firstIndex { field in
        if case .message = field.kind { field.cardinality == .repeated } else { false }
      }
      guard let items, let place = request.fields.firstIndex(where: { $0.name == owner.requestField }) else {
        return nil
      }
      self.init(
        relation: .owner, requestField: place, responseField: items, field: owner.field,
        kind: String(owner.requestField.dropLast(owner.requestField.hasSuffix("_id") ? 3 : 0)))
      return
    }
    guard let ids, ids.hasSuffix("_ids"), let place = request.fields.firstIndex(where: { $0.name == ids }),
      request.fields[place].kind == .string
    else { return nil }
    let kind = String(ids.dropLast(4))
    let items = response.fields.firstIndex { field in
      switch (field.cardinality, field.kind) {
      case (.map(key: .string), _): true
      case (.repeated, .message(let type)): NamedRecord.isRecord(type, of: kind)
      default: false
      }
    }
    guard let items else { return nil }
    self.init(relation: .member, requestField: place, responseField: items, field: "id", kind: kind)
  }

  private init(relation: Relation, requestField: Int, responseField: Int, field: String, kind: String) {
    (self.relation, self.requestField, self.responseField) = (relation, requestField, responseField)
    (self.field, noun) = (field, kind.replacing("_", with: " "))
  }
}

/// The one record that a request names, and where the response repeats its id: GetPost has `post_id`, and its response a
/// `post` with an `id`.
package struct NamedRecord: Sendable {
  /// Where the id is in a response.
  enum Place: Sendable {
    /// In a field of the response itself.
    case response(Int)
    /// In the record that a field holds: in its field of this name or, if there is none, in `id`.
    case record(Int, name: String)
  }

  /// The place of the id among the request's fields.
  let requestField: Int
  /// Where the response has it.
  let place: Place
  /// What the id names, as a noun.
  let noun: String

  /// Finds out what a request names.
  ///
  /// - Returns: nil for requests that name no record, or whose responses don't have it, and for those that create another
  ///   record each time.
  package init?(effect: RPCEffect, method: String, request: MessageDescriptor, response: MessageDescriptor) {
    guard effect != .notIdempotent else { return nil }
    for (index, field) in request.fields.enumerated() where field.isIdentifier {
      let kind = field.name == "id" ? method.withoutVerb.snakeCased : String(field.name.dropLast(3))
      if kind.isEmpty { continue }
      for (place, answer) in response.fields.enumerated() {
        if answer.isIdentifier, answer.name == field.name, answer.kind == field.kind {
          let isRecord = field.name == "id" && !response.shortName.hasSuffix("Response")
          self.init(
            requestField: index, place: .response(place), noun: isRecord ? response.shortName.snakeCased : kind)
          return
        }
        guard answer.cardinality != .repeated, case .message(let type) = answer.kind,
          Self.isRecord(type, of: kind)
        else { continue }
        self.init(requestField: index, place: .record(place, name: field.name), noun: kind)
        return
      }
    }
    return nil
  }

  private init(requestField: Int, place: Place, noun: String) {
    (self.requestField, self.place) = (requestField, place)
    self.noun = noun.replacing("_", with: " ")
  }

  /// Whether a message is about what an id names: a `Post` or a `UserProfile`, but not a `UserOrder`, which has an id of its
  /// own.
  ///
  /// - Parameter name: the full name of the message.
  static func isRecord(_ name: String, of kind: String) -> Bool {
    let type = name.lastPart.snakeCased
    guard type != kind else { return true }
    guard type.hasPrefix("\(kind)_") else { return false }
    return ["profile", "settings", "details", "info", "record", "summary"].contains(
      String(type.dropFirst(kind.count + 1)))
  }
}

extension FieldDescriptor {
  /// Whether it has one id.
  fileprivate var isIdentifier: Bool {
    switch (cardinality, kind) {
    case (.singular, .string), (.optional, .string), (.singular, .int64), (.optional, .int64):
      name == "id" || name.hasSuffix("_id")
    default: false
    }
  }
}

extension String {
  /// `GetPost` as `Post`.
  fileprivate var withoutVerb: String {
    let rest = dropFirst()
    return rest.firstIndex { $0.isUppercase }.map { String(rest[$0...]) } ?? ""
  }

  /// `nova.content_service.v1.Post` as `Post`.
  fileprivate var lastPart: String { parts(between: ".", keepsEmpty: false).last ?? self }

  /// `UserProfile` as `user_profile`.
  fileprivate var snakeCased: String {
    var text = ""
    for character in self {
      if character.isUppercase, !text.isEmpty { text += "_" }
      text += character.lowercased()
    }
    return text
  }
}

import NovaCore
import NovaSDK

/// Pets as records: fields and JSON.
enum PetRecord {
  /// The fields of a pet in a list.
  static let animal = MessageDescriptor(
    "Animal",
    fields: fields([
      ("id", .string), ("name", .string), ("species", .string), ("status", .string), ("photo_url", .string),
      ("last_seen_date", .string), ("latitude", .double), ("longitude", .double), ("breed", .string),
      ("description", .string), ("contact_phone", .string),
    ]))

  /// The fields of a single pet.
  static let details = MessageDescriptor(
    "PetDetails",
    fields: animal.fields
      + fields(
        from: animal.fields.count + 1,
        [
          ("microchip_number", .string), ("contact_email", .string), ("reward", .double), ("created_at", .timestamp),
          ("updated_at", .timestamp),
        ]))

  static func json(_ animal: Animal) -> JSONValue { .object(members(animal)) }

  static func json(_ pet: PetDetails) -> JSONValue {
    .object(
      members(pet.animal)
        + present([
          ("microchip_number", text(pet.microchipNumber)), ("contact_email", text(pet.contactEmail)),
          ("reward", pet.reward.map(number)), ("created_at", .string(pet.createdAt.description)),
          ("updated_at", .string(pet.updatedAt.description)),
        ]))
  }

  static func json(_ skipped: SkippedAnnouncement) -> JSONValue {
    .object(
      present([
        ("id", .string(skipped.id)), ("reason", .string(skipped.reason.kind.rawValue)),
        ("field", .string(skipped.reason.field)), ("value", .string(skipped.reason.value)),
        ("expected", .string(skipped.reason.expected)),
      ]))
  }

  private static func members(_ animal: Animal) -> [JSONValue.Member] {
    present([
      ("id", .string(animal.id)), ("name", .string(animal.name)), ("species", .string(animal.species.rawValue)),
      ("status", .string(animal.status.rawValue)), ("photo_url", .string(animal.photoUrl)),
      ("last_seen_date", .string(animal.lastSeenDate.description)),
      ("latitude", number(animal.coordinate.latitude)), ("longitude", number(animal.coordinate.longitude)),
      ("breed", text(animal.breed)), ("description", .string(animal.description)),
      ("contact_phone", .string(animal.contactPhone)),
    ])
  }

  /// Leaves out absent values, as the contract's JSON does.
  private static func present(_ members: [(String, JSONValue?)]) -> [JSONValue.Member] {
    members.compactMap { name, value in value.map { JSONValue.Member(name: name, value: $0) } }
  }

  private static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }

  private static func number(_ number: Double) -> JSONValue { .number("\(number)") }

  private static func fields(from first: Int = 1, _ fields: [(String, FieldKind)]) -> [FieldDescriptor] {
    fields.enumerated().map { index, field in
      FieldDescriptor(field.0, json: field.0, number: first + index, kind: field.1)
    }
  }
}

/// A pet for people.
struct PetCard {
  /// The placeholder of an absent value.
  static let missing = "—"

  let pet: PetDetails

  /// `Luna (pet-1), cat, missing`.
  var name: String {
    "\(pet.name.oneLine) (\(pet.id)), \(pet.species.rawValue), \(pet.status.rawValue)".displayed
  }

  /// All fields, also absent ones.
  var rows: [(label: String, text: String)] {
    [
      ("LAST SEEN", "\(pet.lastSeenDate) at \(pet.coordinate)"), ("DESCRIPTION", pet.description),
      ("BREED", shown(pet.breed)), ("MICROCHIP", shown(pet.microchipNumber)), ("PHONE", pet.contactPhone),
      ("E-MAIL", shown(pet.contactEmail)), ("REWARD", pet.reward.map(Self.amount) ?? Self.missing),
      ("PHOTO", pet.photoUrl), ("CREATED", time(pet.createdAt)), ("UPDATED", time(pet.updatedAt)),
    ]
  }

  private func shown(_ text: String?) -> String { text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.missing }

  /// `500` and `1250.5`: whole amounts without a fraction.
  private static func amount(_ reward: Double) -> String {
    let text = "\(reward)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private func time(_ time: Timestamp) -> String { System.localTime(time.seconds) ?? time.description }
}

extension CommandContext {
  func write(_ card: PetCard) throws {
    try output.writeLine(output.styles.heading(card.name))
    try writeRows(card.rows)
  }
}

import NovaSDK

/// Pets as records: fields and JSON.
enum PetRecord {
  private static let animalFields: [RecordFields<Animal>.Field] = [
    ("id", .string, { .string($0.id) }), ("name", .string, { .string($0.name) }),
    ("species", .string, { .string($0.species.rawValue) }), ("status", .string, { .string($0.status.rawValue) }),
    ("photo_url", .string, { .string($0.photoUrl) }),
    ("last_seen_date", .string, { .string($0.lastSeenDate.description) }),
    ("latitude", .double, { .number("\($0.coordinate.latitude)") }),
    ("longitude", .double, { .number("\($0.coordinate.longitude)") }),
    ("breed", .string, { $0.breed.map(JSONValue.string) }), ("description", .string, { .string($0.description) }),
    ("contact_phone", .string, { .string($0.contactPhone) }),
  ]

  private static let detailFields: [RecordFields<PetDetails>.Field] = [
    ("microchip_number", .string, { $0.microchipNumber.map(JSONValue.string) }),
    ("contact_email", .string, { $0.contactEmail.map(JSONValue.string) }),
    ("reward_text", .string, { $0.rewardText.map(JSONValue.string) }),
    ("reward", .double, { $0.reward.map { .number("\($0)") } }),
    ("created_at", .timestamp, { .string($0.createdAt.description) }),
    ("updated_at", .timestamp, { .string($0.updatedAt.description) }),
  ]

  /// The fields of a pet in a list.
  static let animal = RecordFields<Animal>("Animal", animalFields)

  /// The fields of a single pet.
  static let details = RecordFields<PetDetails>(
    "PetDetails",
    animalFields.map { name, kind, value in (name, kind, { @Sendable pet in value(pet.animal) }) } + detailFields)

  static func json(_ skipped: SkippedAnnouncement) -> JSONValue {
    .members(
      ("id", .string(skipped.id)), ("reason", .string(skipped.reason.kind.rawValue)),
      ("field", .string(skipped.reason.field)), ("value", .string(skipped.reason.value)),
      ("expected", .string(skipped.reason.expected)))
  }
}

/// A pet for people.
struct PetCard {
  /// The placeholder of an absent value.
  static let missing = "—"

  let pet: PetDetails
  let times: TimeText

  /// `Luna (pet-1), cat, missing`.
  var name: String {
    "\(pet.name.oneLine) (\(pet.id)), \(pet.species.rawValue), \(pet.status.rawValue)".displayed
  }

  /// All fields, also absent ones.
  var rows: [(label: String, text: String)] {
    [
      ("LAST SEEN", "\(pet.lastSeenDate) at \(pet.coordinate)"), ("DESCRIPTION", pet.description),
      ("BREED", shown(pet.breed)), ("MICROCHIP", shown(pet.microchipNumber)), ("PHONE", pet.contactPhone),
      ("EMAIL", shown(pet.contactEmail)), ("REWARD", shown(pet.rewardText)),
      ("PHOTO", pet.photoUrl), ("CREATED", time(pet.createdAt)), ("UPDATED", time(pet.updatedAt)),
    ]
  }

  private func shown(_ text: String?) -> String { text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.missing }

  private func time(_ time: Timestamp) -> String { times.text(time) }
}

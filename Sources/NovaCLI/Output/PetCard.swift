import NovaCore
import NovaSDK

/// A pet as people like to read it.
struct PetCard {
  /// What stands for something that nobody said.
  static let missing = "—"

  let pet: PetDetails

  /// `Luna (pet-1), cat, missing`.
  var name: String {
    "\(pet.name.oneLine) (\(pet.id)), \(pet.species.rawValue), \(pet.status.rawValue)".displayed
  }

  /// What there is to know, and what might be known.
  var rows: [(label: String, text: String)] {
    [
      ("LAST SEEN", "\(pet.lastSeenDate) at \(pet.coordinate)"), ("DESCRIPTION", pet.description),
      ("BREED", said(pet.breed)), ("MICROCHIP", said(pet.microchipNumber)), ("PHONE", pet.contactPhone),
      ("E-MAIL", said(pet.contactEmail)), ("REWARD", pet.reward.map(Self.amount) ?? Self.missing),
      ("PHOTO", pet.photoUrl), ("CREATED", time(pet.createdAt)), ("UPDATED", time(pet.updatedAt)),
    ]
  }

  private func said(_ text: String?) -> String { text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.missing }

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

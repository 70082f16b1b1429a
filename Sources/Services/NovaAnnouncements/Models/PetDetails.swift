public import NovaCore

/// All of an announcement about a pet: the fields of ``Animal``, such as `name`, and more.
@dynamicMemberLookup
public struct PetDetails: Sendable, Hashable, Identifiable {
  /// The fields that lists have. You can read and set each of them on the details: `details.name`.
  public var animal: Animal
  /// The number of its microchip; nil if unknown.
  public var microchipNumber: String?
  /// An e-mail address to write to; nil if unknown. It is not checked, because the rest of the announcement helps
  /// without it.
  public var contactEmail: String?
  /// The reward for the finder, a positive amount in the currency of ``rewardText``; nil if the text names no amount or
  /// an ambiguous one.
  public var reward: Double?
  /// The reward in the server's words, such as `500 PLN` or `negotiable`: show this to people. Nil if absent.
  public var rewardText: String?
  /// When the announcement was created.
  public var createdAt: Timestamp
  /// When the announcement last changed.
  public var updatedAt: Timestamp

  /// Creates details from the fields that lists have, and the other ones. An empty `rewardText` becomes nil.
  public init(
    _ animal: Animal, microchipNumber: String? = nil, contactEmail: String? = nil, reward: Double? = nil,
    rewardText: String? = nil, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.animal = animal
    self.microchipNumber = microchipNumber
    self.contactEmail = contactEmail
    self.reward = reward
    self.rewardText = rewardText?.isEmpty == true ? nil : rewardText
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The ID of the announcement.
  public var id: String {
    get { animal.id }
    set { animal.id = newValue }
  }

  /// A field of ``animal``.
  public subscript<Value>(dynamicMember field: WritableKeyPath<Animal, Value>) -> Value {
    get { animal[keyPath: field] }
    set { animal[keyPath: field] = newValue }
  }
}

extension PetDetails: Encodable {
  /// Writes the fields of ``Animal``, and `microchipNumber`, `contactEmail`, `reward` (a number), `rewardText`,
  /// `createdAt`, and `updatedAt` (ISO 8601), without absent values.
  public func encode(to encoder: any Encoder) throws {
    try animal.encode(to: encoder)
    var container = encoder.container(keyedBy: PetCodingKeys.self)
    try container.encodeIfPresent(microchipNumber, forKey: .microchipNumber)
    try container.encodeIfPresent(contactEmail, forKey: .contactEmail)
    try container.encodeIfPresent(reward, forKey: .reward)
    try container.encodeIfPresent(rewardText, forKey: .rewardText)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encode(updatedAt, forKey: .updatedAt)
  }
}

public import NovaCore

/// Everything that an announcement says about a pet: the fields of ``Animal``, and more.
public struct PetDetails: Sendable, Hashable, Identifiable {
  /// The ID of the announcement.
  public var id: String
  /// The name of the pet.
  public var name: String
  /// The species.
  public var species: Species
  /// Whether it is missing or was found.
  public var status: AnimalStatus
  /// Its picture: a URL, or a path on the gateway.
  public var photoUrl: String
  /// The day it was last seen.
  public var lastSeenDate: CalendarDate
  /// Where it was last seen.
  public var coordinate: Coordinate
  /// The breed; nil if unknown.
  public var breed: String?
  /// The number of its microchip; nil if unknown.
  public var microchipNumber: String?
  /// An e-mail address to write to; nil if unknown. It is not checked, because the rest of the announcement
  /// helps without it.
  public var contactEmail: String?
  /// A telephone number to call.
  public var contactPhone: String
  /// The reward for the finder, a positive amount in the currency of ``rewardText``; nil if the text names no amount or an
  /// ambiguous one.
  public var reward: Double?
  /// The reward in the server's words, such as `500 PLN` or `negotiable`: show this to people. Nil if there is none.
  public var rewardText: String?
  /// Its looks, and what else helps to find it.
  public var description: String
  /// When the announcement was created.
  public var createdAt: Timestamp
  /// When the announcement last changed.
  public var updatedAt: Timestamp

  /// Creates details from the fields that lists have, and the other ones. An empty `rewardText` becomes nil.
  public init(
    _ animal: Animal, microchipNumber: String? = nil, contactEmail: String? = nil, reward: Double? = nil,
    rewardText: String? = nil, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    id = animal.id
    name = animal.name
    species = animal.species
    status = animal.status
    photoUrl = animal.photoUrl
    lastSeenDate = animal.lastSeenDate
    coordinate = animal.coordinate
    breed = animal.breed
    self.microchipNumber = microchipNumber
    self.contactEmail = contactEmail
    contactPhone = animal.contactPhone
    self.reward = reward
    self.rewardText = rewardText?.isEmpty == true ? nil : rewardText
    description = animal.description
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The fields that lists have.
  public var animal: Animal {
    Animal(
      id: id, name: name, species: species, status: status, photoUrl: photoUrl, lastSeenDate: lastSeenDate,
      coordinate: coordinate, breed: breed, description: description, contactPhone: contactPhone)
  }
}

public import NovaCore

/// All that an announcement tells about a pet: what an ``Animal`` has, and more.
public struct PetDetails: Sendable, Hashable, Codable, Identifiable {
  /// The announcement's own id.
  public var id: String
  /// What the pet is called.
  public var name: String
  /// What it is.
  public var species: Species
  /// What became of it.
  public var status: AnimalStatus
  /// Where its picture can be had: a URL, or a path on the gateway.
  public var photoUrl: String
  /// The day on which it was last seen.
  public var lastSeenDate: CalendarDate
  /// Where it was last seen.
  public var coordinate: Coordinate
  /// Its breed; nil if nobody said.
  public var breed: String?
  /// The number of its microchip; nil if nobody said.
  public var microchipNumber: String?
  /// Whom to write to, an e-mail address; nil if nobody said.
  public var contactEmail: String?
  /// Whom to call, a telephone number.
  public var contactPhone: String
  /// The reward for the finder, a positive amount in the currency of the announcement's text; nil if the text names no
  /// amount or an ambiguous one.
  public var reward: Double?
  /// What it looks like, and what else helps to find it.
  public var description: String
  /// When it was announced.
  public var createdAt: Timestamp
  /// When the announcement last changed.
  public var updatedAt: Timestamp

  /// Creates details from what a list shows and the rest.
  public init(
    _ animal: Animal, microchipNumber: String? = nil, contactEmail: String? = nil, reward: Double? = nil,
    createdAt: Timestamp, updatedAt: Timestamp
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
    description = animal.description
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// What a list shows of it.
  public var animal: Animal {
    Animal(
      id: id, name: name, species: species, status: status, photoUrl: photoUrl, lastSeenDate: lastSeenDate,
      coordinate: coordinate, breed: breed, description: description, contactPhone: contactPhone)
  }
}

/// What a pet is.
public enum Species: String, Sendable, Hashable, Codable, CaseIterable {
  case dog, cat, bird, other
}

/// What became of a pet.
public enum AnimalStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case missing, found
}

/// A pet that went missing or was found, as a list shows it.
///
/// Made from an ``Announcement`` that keeps the contract: no required text is empty, the coordinate is on the globe.
public struct Animal: Sendable, Hashable, Codable, Identifiable {
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
  /// What it looks like, and what else helps to find it.
  public var description: String
  /// Whom to call, a telephone number.
  public var contactPhone: String

  /// Creates an animal.
  public init(
    id: String, name: String, species: Species, status: AnimalStatus, photoUrl: String, lastSeenDate: CalendarDate,
    coordinate: Coordinate, breed: String? = nil, description: String, contactPhone: String
  ) {
    self.id = id
    self.name = name
    self.species = species
    self.status = status
    self.photoUrl = photoUrl
    self.lastSeenDate = lastSeenDate
    self.coordinate = coordinate
    self.breed = breed
    self.description = description
    self.contactPhone = contactPhone
  }
}

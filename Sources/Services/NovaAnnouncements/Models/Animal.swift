/// The species of a pet.
public enum Species: String, Sendable, Hashable, Codable, CaseIterable {
  case dog, cat, bird, other
}

/// Whether a pet is missing or was found.
public enum AnimalStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case missing, found
}

/// A missing or found pet, as in lists.
///
/// Created from an ``Announcement`` that follows the contract: no required text is empty, and the coordinate is valid.
public struct Animal: Sendable, Hashable, Identifiable {
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
  /// Its looks, and what else helps to find it.
  public var description: String
  /// A telephone number to call.
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

/// Writes `id`, `petName`, `species`, `status`, `photoUrl`, `lastSeenDate`, `coordinate` (`latitude` and `longitude`),
/// `breed`, `description`, and `contactPhone`, without absent values.
extension Animal: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id
    case name = "petName"
    case species, status, photoUrl, lastSeenDate, coordinate, breed, description, contactPhone
  }
}

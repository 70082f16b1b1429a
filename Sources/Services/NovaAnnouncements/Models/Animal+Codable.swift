import NovaCore

extension Animal: Codable {
  /// Reads the JSON of a backend (`petName` or `pet_name`, `locationLatitude`, `phone`, species and status in any case),
  /// and the form that ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`; for an announcement that violates the contract, with an ``AnnouncementError`` as the
  ///   underlying error.
  public init(from decoder: any Decoder) throws {
    self = try DecodedAnnouncement(from: decoder).model { announcement throws(AnnouncementError) in
      try Animal(announcement)
    }
  }

  /// Writes `id`, `petName`, `species`, `status`, `photoUrl`, `lastSeenDate`, `coordinate` (`latitude` and `longitude`),
  /// `breed`, `description`, and `contactPhone`, without absent values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PetCodingKeys.self)
    try encode(to: &container)
  }

  func encode(to container: inout KeyedEncodingContainer<PetCodingKeys>) throws {
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(species, forKey: .species)
    try container.encode(status, forKey: .status)
    try container.encode(photoUrl, forKey: .photoUrl)
    try container.encode(lastSeenDate, forKey: .lastSeenDate)
    try container.encode(coordinate, forKey: .coordinate)
    try container.encodeIfPresent(breed, forKey: .breed)
    try container.encode(description, forKey: .description)
    try container.encode(contactPhone, forKey: .contactPhone)
  }
}

extension PetDetails: Codable {
  /// Reads the JSON of a backend, in which `reward` is a text, and the form that ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`; for an announcement that violates the contract, with an ``AnnouncementError`` as the
  ///   underlying error.
  public init(from decoder: any Decoder) throws {
    let decoded = try DecodedAnnouncement(from: decoder)
    self = try decoded.model { announcement throws(AnnouncementError) in try PetDetails(announcement) }
    if let amount = decoded.reward { reward = amount }
  }

  /// Writes the fields of ``Animal``, and `microchipNumber`, `contactEmail`, `reward` (a number), `rewardText`, `createdAt`,
  /// and `updatedAt` (ISO 8601), without absent values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PetCodingKeys.self)
    try animal.encode(to: &container)
    try container.encodeIfPresent(microchipNumber, forKey: .microchipNumber)
    try container.encodeIfPresent(contactEmail, forKey: .contactEmail)
    try container.encodeIfPresent(reward, forKey: .reward)
    try container.encodeIfPresent(rewardText, forKey: .rewardText)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encode(updatedAt, forKey: .updatedAt)
  }
}

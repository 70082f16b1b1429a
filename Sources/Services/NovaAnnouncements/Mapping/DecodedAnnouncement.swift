import NovaCore

/// The names in the encoded form of ``Animal`` and ``PetDetails``.
enum PetCodingKeys: String, CodingKey {
  case id, species, status, photoUrl, lastSeenDate, coordinate, breed, description, contactPhone, microchipNumber,
    contactEmail, reward, rewardText, createdAt, updatedAt
  case name = "petName"
  /// The key of the name in JSON that earlier versions wrote.
  case earlierName = "name"
}

/// An announcement from a `Decoder`, in one of two forms: as backends send it, or as ``Animal`` and ``PetDetails``
/// encode themselves.
private struct DecodedAnnouncement {
  private(set) var announcement: Announcement
  /// The encoded amount of the reward; nil if it must be read from the text.
  private(set) var reward: Double??
  private let codingPath: [any CodingKey]

  init(from decoder: any Decoder) throws {
    codingPath = decoder.codingPath
    let container = try decoder.container(keyedBy: PetCodingKeys.self)
    guard container.contains(.coordinate) else {
      announcement = try Announcement(from: decoder)
      return
    }
    func text(_ key: PetCodingKeys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
    let place = try container.decode(Coordinate.self, forKey: .coordinate)
    announcement = Announcement(
      id: try text(.id) ?? "", petName: try text(.name) ?? text(.earlierName) ?? "", species: try text(.species) ?? "",
      status: try text(.status) ?? "", photoUrl: try text(.photoUrl) ?? "",
      lastSeenDate: try text(.lastSeenDate) ?? "", locationLatitude: place.latitude, locationLongitude: place.longitude,
      breed: try text(.breed), microchipNumber: try text(.microchipNumber), email: try text(.contactEmail),
      phone: try text(.contactPhone) ?? "", reward: try text(.rewardText), description: try text(.description) ?? "",
      createdAt: try text(.createdAt) ?? "", updatedAt: try text(.updatedAt) ?? "")
    if announcement.reward == nil, let words = try? text(.reward) {
      announcement.reward = words
    } else {
      let amount = try container.decodeIfPresent(Double.self, forKey: .reward)
      reward = .some(amount.flatMap { Reward.isAmount($0) ? $0 : nil })
    }
  }

  /// Validates the announcement.
  func model<Model>(_ make: (Announcement) throws(AnnouncementError) -> Model) throws -> Model {
    do throws(AnnouncementError) { return try make(announcement) } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
  }
}

extension Animal: Decodable {
  /// Reads the JSON of a backend (`petName` or `pet_name`, `locationLatitude`, `phone`, species and status in any
  /// case), and the form that its `Encodable` conformance writes.
  ///
  /// - Throws: `DecodingError`. If the announcement violates the contract, its underlying error is an
  ///   ``AnnouncementError``.
  public init(from decoder: any Decoder) throws {
    self = try DecodedAnnouncement(from: decoder).model { announcement throws(AnnouncementError) in
      try Animal(announcement)
    }
  }
}

extension PetDetails: Decodable {
  /// Reads the JSON of a backend, in which `reward` is a text, and the form that ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`. If the announcement violates the contract, its underlying error is an
  ///   ``AnnouncementError``.
  public init(from decoder: any Decoder) throws {
    let decoded = try DecodedAnnouncement(from: decoder)
    self = try decoded.model { announcement throws(AnnouncementError) in try PetDetails(announcement) }
    if let amount = decoded.reward { reward = amount }
  }
}

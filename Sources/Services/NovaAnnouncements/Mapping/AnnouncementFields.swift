import NovaCore

/// Reads the fields of an announcement, and checks them against the contract.
struct AnnouncementFields {
  let announcement: Announcement

  init(_ announcement: Announcement) { self.announcement = announcement }

  /// A required text. A field is empty if the server leaves it out.
  func text(_ field: KeyPath<Announcement, String>, _ name: String) throws(AnnouncementError) -> String {
    let text = announcement[keyPath: field]
    if text.isEmpty { throw problem(.missingField, in: name, expected: "a text that is not empty") }
    return text
  }

  func species() throws(AnnouncementError) -> Species { try choice(\.species, "species", else: .unknownSpecies) }

  func status() throws(AnnouncementError) -> AnimalStatus { try choice(\.status, "status", else: .unknownStatus) }

  /// A picture that clients can request. The problem masks the parts of an invalid URL that may be secret.
  func photoUrl() throws(AnnouncementError) -> String {
    let text = try text(\.photoUrl, "photo_url")
    if (try? HTTPURL(parsing: text, pathsOn: Self.anyGateway)) != nil { return text }
    throw problem(
      .invalidURL, in: "photo_url", value: text.withoutURLSecrets,
      expected: "an absolute http or https URL, or a path that begins with /")
  }

  private static let anyGateway: HTTPURL = "http://localhost"

  func lastSeenDate() throws(AnnouncementError) -> CalendarDate {
    let text = try text(\.lastSeenDate, "last_seen_date")
    if let date = CalendarDate(text) { return date }
    throw problem(.invalidDate, in: "last_seen_date", value: text, expected: "a date as yyyy-MM-dd")
  }

  /// A time in one of the forms that backends send: ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC.
  func time(_ field: KeyPath<Announcement, String>, _ name: String) throws(AnnouncementError) -> Timestamp {
    let text = try text(field, name)
    if let time = Timestamp(text) { return time }
    throw problem(.invalidDate, in: name, value: text, expected: "a time in ISO 8601, or as yyyy-MM-dd HH:mm:ss")
  }

  func coordinate() throws(AnnouncementError) -> Coordinate {
    Coordinate(
      latitude: try degrees(\.locationLatitude, "location_latitude", in: Coordinate.validLatitudes),
      longitude: try degrees(\.locationLongitude, "location_longitude", in: Coordinate.validLongitudes))
  }

  private func degrees(
    _ field: KeyPath<Announcement, Double?>, _ name: String, in range: ClosedRange<Double>
  ) throws(AnnouncementError) -> Double {
    let expected = "\(Int(range.lowerBound)) to \(Int(range.upperBound)) degrees"
    guard let degrees = announcement[keyPath: field] else { throw problem(.missingField, in: name, expected: expected) }
    if range.contains(degrees) { return degrees }
    throw problem(.coordinateOutOfRange, in: name, value: "\(degrees)", expected: expected)
  }

  /// One of a few names, in any case.
  private func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ field: KeyPath<Announcement, String>, _ name: String, else kind: AnnouncementProblem.Kind
  ) throws(AnnouncementError) -> Value {
    let text = try text(field, name)
    if let value = Value(rawValue: text.lowercased()) { return value }
    throw problem(kind, in: name, value: text, expected: Value.allCases.map(\.rawValue).alternatives)
  }

  private func problem(
    _ kind: AnnouncementProblem.Kind, in field: String, value: String = "", expected: String
  ) -> AnnouncementError {
    AnnouncementError(
      id: announcement.id, problem: AnnouncementProblem(kind, field: field, value: value, expected: expected))
  }
}

extension String {
  /// The text of an invalid URL, without user name, password, and query.
  fileprivate var withoutURLSecrets: String {
    let parts = parts(between: "?", keepsEmpty: true)
    guard let address = parts.first?.parts(between: "@", keepsEmpty: true), let place = address.last else {
      return self
    }
    let shown = address.count > 1 ? "\(SecretText.mask)@\(place)" : place
    return parts.count > 1 ? "\(shown)?\(SecretText.mask)" : shown
  }
}

extension AnnouncementError {
  static func repeatedID(_ id: String) -> AnnouncementError {
    AnnouncementError(
      id: id,
      problem: AnnouncementProblem(
        .repeatedID, field: "id", value: id, expected: "an id that no earlier announcement of the list has"))
  }
}

extension Animal {
  /// Validates an announcement. Ignores the case of species and status, and the times of the announcement itself.
  ///
  /// - Throws: ``AnnouncementError`` with the first invalid field.
  public init(_ announcement: Announcement) throws(AnnouncementError) {
    let fields = AnnouncementFields(announcement)
    self.init(
      id: try fields.text(\.id, "id"), name: try fields.text(\.petName, "pet_name"), species: try fields.species(),
      status: try fields.status(), photoUrl: try fields.photoUrl(),
      lastSeenDate: try fields.lastSeenDate(), coordinate: try fields.coordinate(), breed: announcement.breed,
      description: try fields.text(\.description, "description"), contactPhone: try fields.text(\.phone, "phone"))
  }
}

extension PetDetails {
  /// Validates an announcement, as ``Animal`` does, and its two times: ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC.
  ///
  /// - Throws: ``AnnouncementError`` with the first invalid field.
  public init(_ announcement: Announcement) throws(AnnouncementError) {
    let animal = try Animal(announcement)
    let fields = AnnouncementFields(announcement)
    self.init(
      animal, microchipNumber: announcement.microchipNumber, contactEmail: announcement.email,
      reward: announcement.reward.flatMap(Reward.amount), rewardText: announcement.reward,
      createdAt: try fields.time(\.createdAt, "created_at"), updatedAt: try fields.time(\.updatedAt, "updated_at"))
  }
}

import NovaCore

/// Reads the fields of an announcement as the contract means them; each fails with what is wrong with it.
struct AnnouncementFields {
  let announcement: Announcement

  init(_ announcement: Announcement) { self.announcement = announcement }

  /// A text that must not be empty. What a server leaves out reads as empty.
  func text(_ field: KeyPath<Announcement, String>, _ name: String) throws(AnnouncementError) -> String {
    let text = announcement[keyPath: field]
    if text.isEmpty { throw problem(.missingField, name, expected: "a text that is not empty") }
    return text
  }

  func species() throws(AnnouncementError) -> Species { try choice(\.species, "species", .unknownSpecies) }

  func status() throws(AnnouncementError) -> AnimalStatus { try choice(\.status, "status", .unknownStatus) }

  func lastSeenDate() throws(AnnouncementError) -> CalendarDate {
    let text = try text(\.lastSeenDate, "last_seen_date")
    if let date = CalendarDate(text) { return date }
    throw problem(.invalidDate, "last_seen_date", text, expected: "a date as yyyy-MM-dd")
  }

  /// A time in either of the forms that backends send: ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC.
  func time(_ field: KeyPath<Announcement, String>, _ name: String) throws(AnnouncementError) -> Timestamp {
    let text = try text(field, name)
    if let time = Timestamp(text) { return time }
    throw problem(.invalidDate, name, text, expected: "a time in ISO 8601, or as yyyy-MM-dd HH:mm:ss")
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
    guard let degrees = announcement[keyPath: field] else { throw problem(.missingField, name, expected: expected) }
    if range.contains(degrees) { return degrees }
    throw problem(.coordinateOutOfRange, name, "\(degrees)", expected: expected)
  }

  /// One of a few names, in any case.
  private func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ field: KeyPath<Announcement, String>, _ name: String, _ kind: AnnouncementProblem.Kind
  ) throws(AnnouncementError) -> Value {
    let text = try text(field, name)
    if let value = Value(rawValue: text.lowercased()) { return value }
    throw problem(kind, name, text, expected: Value.allCases.map(\.rawValue).alternatives)
  }

  private func problem(
    _ kind: AnnouncementProblem.Kind, _ field: String, _ value: String = "", expected: String
  ) -> AnnouncementError {
    AnnouncementError(
      id: announcement.id, problem: AnnouncementProblem(kind, field: field, value: value, expected: expected))
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

import NovaAnnouncements
import Testing

extension Announcement {
  /// One that keeps the contract in everything, and says all there is to say.
  static let good = Announcement(
    id: "550e8400", petName: "Max", species: "DOG", status: "MISSING", photoUrl: "/images/max.jpg",
    lastSeenDate: "2024-11-15", locationLatitude: 52.2297, locationLongitude: 21.0122, breed: "Golden Retriever",
    sex: "MALE", age: 5, microchipNumber: "123456789012345", email: "owner@example.com", phone: "+48123456789",
    reward: "500 PLN", description: "Friendly golden retriever, responds to Max",
    createdAt: "2024-11-20T10:30:00.000Z", updatedAt: "2024-12-01 14:24:13")

  /// The same with one change.
  func with<Value>(_ field: WritableKeyPath<Announcement, Value>, _ value: Value) -> Announcement {
    var copy = self
    copy[keyPath: field] = value
    return copy
  }
}

/// A way to spoil an announcement, and what is said about it.
struct Spoiling: Sendable, CustomTestStringConvertible {
  let kind: AnnouncementProblem.Kind
  let field: String
  let value: String
  let spoil: @Sendable (inout Announcement) -> Void

  init(
    _ kind: AnnouncementProblem.Kind, in field: String, _ value: String = "",
    by spoil: @escaping @Sendable (inout Announcement) -> Void
  ) {
    (self.kind, self.field, self.value, self.spoil) = (kind, field, value, spoil)
  }

  var testDescription: String { "\(kind) \(field) \(value)" }

  var spoilt: Announcement {
    var announcement = Announcement.good
    spoil(&announcement)
    return announcement
  }

  /// What neither a list nor a detail accepts.
  static let everywhere: [Spoiling] = [
    Spoiling(.missingField, in: "id") { $0.id = "" }, Spoiling(.missingField, in: "pet_name") { $0.petName = "" },
    Spoiling(.missingField, in: "species") { $0.species = "" },
    Spoiling(.missingField, in: "status") { $0.status = "" },
    Spoiling(.missingField, in: "photo_url") { $0.photoUrl = "" },
    Spoiling(.missingField, in: "last_seen_date") { $0.lastSeenDate = "" },
    Spoiling(.missingField, in: "location_latitude") { $0.locationLatitude = nil },
    Spoiling(.missingField, in: "location_longitude") { $0.locationLongitude = nil },
    Spoiling(.missingField, in: "phone") { $0.phone = "" },
    Spoiling(.missingField, in: "description") { $0.description = "" },
    Spoiling(.unknownSpecies, in: "species", "DINOSAUR") { $0.species = "DINOSAUR" },
    Spoiling(.unknownSpecies, in: "species", " dog") { $0.species = " dog" },
    Spoiling(.unknownStatus, in: "status", "ADOPTED") { $0.status = "ADOPTED" },
    Spoiling(.invalidDate, in: "last_seen_date", "15-11-2025") { $0.lastSeenDate = "15-11-2025" },
    Spoiling(.invalidDate, in: "last_seen_date", "2024-13-01") { $0.lastSeenDate = "2024-13-01" },
    Spoiling(.invalidDate, in: "last_seen_date", "2023-02-29") { $0.lastSeenDate = "2023-02-29" },
    Spoiling(.invalidDate, in: "last_seen_date", "2024-11-15T10:00:00Z") { $0.lastSeenDate = "2024-11-15T10:00:00Z" },
    Spoiling(.invalidURL, in: "photo_url", "images/max.jpg") { $0.photoUrl = "images/max.jpg" },
    Spoiling(.invalidURL, in: "photo_url", " ") { $0.photoUrl = " " },
    Spoiling(.invalidURL, in: "photo_url", "//cdn.example/max.jpg") { $0.photoUrl = "//cdn.example/max.jpg" },
    Spoiling(.invalidURL, in: "photo_url", "/images/the dog.jpg") { $0.photoUrl = "/images/the dog.jpg" },
    Spoiling(.invalidURL, in: "photo_url", "ftp://cdn.example/1") { $0.photoUrl = "ftp://cdn.example/1" },
    Spoiling(.invalidURL, in: "photo_url", "https://") { $0.photoUrl = "https://" },
    Spoiling(.invalidURL, in: "photo_url", "javascript:alert(1)") { $0.photoUrl = "javascript:alert(1)" },
    Spoiling(.invalidURL, in: "photo_url", "****@cdn.example/1?****") {
      $0.photoUrl = "https://u:p@cdn.example/1?sig=abc"
    },
    Spoiling(.invalidURL, in: "photo_url", "****@cdn.example/1") { $0.photoUrl = "https://u@x:p@cdn.example/1" },
    Spoiling(.invalidURL, in: "photo_url", "?****") { $0.photoUrl = "?sig=abc" },
    Spoiling(.coordinateOutOfRange, in: "location_latitude", "90.0001") { $0.locationLatitude = 90.0001 },
    Spoiling(.coordinateOutOfRange, in: "location_latitude", "-91.0") { $0.locationLatitude = -91 },
    Spoiling(.coordinateOutOfRange, in: "location_latitude", "nan") { $0.locationLatitude = .nan },
    Spoiling(.coordinateOutOfRange, in: "location_longitude", "180.5") { $0.locationLongitude = 180.5 },
    Spoiling(.coordinateOutOfRange, in: "location_longitude", "-inf") { $0.locationLongitude = -.infinity },
  ]

  /// What a list does not look at.
  static let inDetails: [Spoiling] = [
    Spoiling(.missingField, in: "created_at") { $0.createdAt = "" },
    Spoiling(.missingField, in: "updated_at") { $0.updatedAt = "" },
    Spoiling(.invalidDate, in: "created_at", "yesterday") { $0.createdAt = "yesterday" },
    Spoiling(.invalidDate, in: "created_at", "2024-11-20") { $0.createdAt = "2024-11-20" },
    Spoiling(.invalidDate, in: "updated_at", "2024-12-01 24:24:13") { $0.updatedAt = "2024-12-01 24:24:13" },
    Spoiling(.invalidDate, in: "updated_at", "2024-12-01 14:24") { $0.updatedAt = "2024-12-01 14:24" },
  ]
}

import NovaAnnouncements
import Testing

/// The samples of the apps' data model, as backends send them.
enum DocumentSample {
  static let listItem = #"""
    {
      "id": "550e8400-e29b-41d4-a716-446655440000",
      "petName": "Max",
      "species": "DOG",
      "status": "MISSING",
      "photoUrl": "/images/max.jpg",
      "lastSeenDate": "2024-11-15",
      "locationLatitude": 52.2297,
      "locationLongitude": 21.0122,
      "breed": "Golden Retriever",
      "sex": "MALE",
      "age": 5,
      "description": "Friendly golden retriever, responds to Max",
      "phone": "+48123456789",
      "email": "owner@example.com"
    }
    """#

  static let details = #"""
    {
      "id": "550e8400-e29b-41d4-a716-446655440000",
      "petName": "Max",
      "species": "DOG",
      "status": "MISSING",
      "photoUrl": "/images/max.jpg",
      "lastSeenDate": "2024-11-15",
      "locationLatitude": 52.2297,
      "locationLongitude": 21.0122,
      "breed": "Golden Retriever",
      "sex": "MALE",
      "age": 5,
      "microchipNumber": "123456789012345",
      "email": "owner@example.com",
      "phone": "+48123456789",
      "reward": "500 PLN",
      "description": "Friendly golden retriever, responds to Max",
      "createdAt": "2024-11-20T10:30:00.000Z",
      "updatedAt": "2024-12-01 14:24:13"
    }
    """#

  static func list(_ items: String...) -> String { "{\"data\": [\(items.joined(separator: ","))]}" }

  /// A sample with a defect: what to replace, by what, and what is found.
  struct Defect: Sendable, CustomTestStringConvertible {
    let kind: AnnouncementProblem.Kind
    let field: String
    let text: String
    let replacement: String

    var testDescription: String { "\(kind) \(field)" }

    func applied(to sample: String) -> String { sample.replacing(text, with: replacement) }
  }

  static let defects = [
    Defect(kind: .unknownSpecies, field: "species", text: "\"DOG\"", replacement: "\"DINOSAUR\""),
    Defect(kind: .unknownSpecies, field: "species", text: "\"DOG\"", replacement: "\"rabbit\""),
    Defect(kind: .missingField, field: "pet_name", text: "\"petName\": \"Max\",", replacement: ""),
    Defect(kind: .invalidDate, field: "last_seen_date", text: "2024-11-15", replacement: "15-11-2024"),
    Defect(kind: .invalidDate, field: "last_seen_date", text: "2024-11-15", replacement: "2024-13-01"),
  ]
}

import NovaAnnouncements
import NovaCore
import NovaTesting
import Testing

extension Announcement {
  /// A valid announcement.
  static func pet(_ id: String, name: String = "Max") -> Announcement {
    Announcement(
      id: id, petName: name, species: "DOG", status: "MISSING", photoUrl: "/images/max.jpg",
      lastSeenDate: "2024-11-15", locationLatitude: 52.2297, locationLongitude: 21.0122, phone: "+48123456789",
      description: "Friendly", createdAt: "2024-11-20T10:30:00.000Z", updatedAt: "2024-12-01 14:24:13")
  }

  /// An announcement with an invalid species.
  static func dinosaur(_ id: String) -> Announcement {
    var pet = pet(id)
    pet.species = "DINOSAUR"
    return pet
  }
}

/// How a gateway fails to send announcements, and the message for the user.
struct LoadFailure: Sendable, CustomTestStringConvertible {
  let error: APIError
  let reason: String?

  var testDescription: String { "\(error.code)" }

  static let all: [LoadFailure] = [
    LoadFailure(
      error: APIError(.networkError, "nothing listens"),
      reason: "NovaSocial cannot be reached. Please check your connection and try again."),
    LoadFailure(
      error: APIError(.serverError, "broken", httpStatus: 500),
      reason: "NovaSocial has a problem at the moment. Please try again later."),
    LoadFailure(
      error: APIError(.rateLimited, "slower", httpStatus: 429),
      reason: "Too many requests. Please wait a moment and try again."),
    LoadFailure(
      error: APIError(.notFound, "gone", httpStatus: 404), reason: "This no longer exists."),
    LoadFailure(error: APIError(.decodingError, "expected a list, found <html>"), reason: nil),
    LoadFailure(error: APIError(.invalidResponse, "no JSON"), reason: nil),
  ]
}

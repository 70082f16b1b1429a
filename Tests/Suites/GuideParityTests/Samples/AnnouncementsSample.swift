import Foundation
import NovaSDK

// The announcements data model: a list that skips what is invalid, and details that fail. See GuideProfileSample.swift for
// the comments.

enum AnnouncementsSample {
  struct AnnouncementsListResponse: Codable {
    // guide: let data: [AnnouncementDTO]
    let data: [Announcement]
  }

  static func animals(in json: Data) throws -> AnimalList {
    let listResponse = try JSONDecoder().decode(AnnouncementsListResponse.self, from: json)
    // Convert DTOs to domain models, skipping invalid items
    // guide: let animals = listResponse.data.compactMap { dto in Animal(from: dto) }
    let animals = AnimalList(listResponse.data)
    return animals
  }

  static func details(in json: Data) throws -> PetDetails {
    // guide: let dto = try JSONDecoder().decode(PetDetailsDTO.self, from: json)
    let dto = try JSONDecoder().decode(Announcement.self, from: json)
    // For single item, throw error if invalid
    // guide: guard let details = PetDetails(from: dto) else { throw RepositoryError.invalidData }
    let details = try PetDetails(dto)
    return details
  }
}

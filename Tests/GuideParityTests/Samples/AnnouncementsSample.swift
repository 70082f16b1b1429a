import Foundation
import NovaSDK

// The announcements data model: a list that skips what is invalid, and details that fail. See GuideProfileSample.swift for
// the comments.

enum AnnouncementsSample {
  struct AnnouncementsListResponse: Codable {
    let data: [Announcement]  // guide: let data: [AnnouncementDTO]
  }

  static func animals(in json: Data) throws -> AnimalList {
    let listResponse = try JSONDecoder().decode(AnnouncementsListResponse.self, from: json)
    // Convert DTOs to domain models, skipping invalid items
    let animals = AnimalList(listResponse.data)  // guide: let animals = listResponse.data.compactMap { dto in Animal(from: dto) }
    return animals
  }

  static func details(in json: Data) throws -> PetDetails {
    let dto = try JSONDecoder().decode(Announcement.self, from: json)  // guide: let dto = try JSONDecoder().decode(PetDetailsDTO.self, from: json)
    // For single item, throw error if invalid
    let details = try PetDetails(dto)  // guide: guard let details = PetDetails(from: dto) else { throw RepositoryError.invalidData }
    return details
  }
}

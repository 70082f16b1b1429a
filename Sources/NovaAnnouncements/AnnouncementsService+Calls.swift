import NovaCore

extension AnnouncementsServiceProtocol {
  /// Lists the animals that are announced.
  ///
  /// What the server sends and the contract does not allow is left out and reported, so that one bad announcement hides
  /// no other. What of the answer is no announcement at all still fails the call.
  ///
  /// ```swift
  /// let list = try await nova.announcements.list(near: Coordinate(latitude: 52.23, longitude: 21.01))
  /// for animal in list.animals { print(animal.name, animal.contactPhone) }
  /// for skipped in list.skipped { logger.warning("\(skipped)") }
  /// ```
  /// - Parameter place: where the caller is: the server lists the nearest first. Default: nowhere, the server's own order.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, for a place that does not exist.
  public func list(near place: Coordinate? = nil) async throws -> AnimalList {
    if let place, !place.isValid {
      throw APIError(
        .invalidArgument,
        "there is no place \(place): expected a latitude from -90 to 90, a longitude from -180 to 180",
        rpc: AnnouncementsRPC.listAnnouncements.descriptor.id)
    }
    let request = ListAnnouncementsRequest(lat: place?.latitude, lng: place?.longitude)
    return AnimalList(try await listAnnouncements(request).data)
  }

  /// All that is known of one announced pet.
  ///
  /// - Throws: ``APIError``; `notFound` if there is no such announcement. ``AnnouncementError`` if there is, but what the
  ///   server sends of it is not what the contract allows: it says which field, what stood there and what was expected.
  public func detail(id: String) async throws -> PetDetails {
    try PetDetails(try await getAnnouncement(GetAnnouncementRequest(id: id)))
  }
}

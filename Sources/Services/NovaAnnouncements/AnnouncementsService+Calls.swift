import NovaCore

extension AnnouncementsServiceProtocol {
  /// Lists the announced animals.
  ///
  /// Announcements that violate the contract are left out and reported, so that an invalid one does not hide the
  /// others. The call fails only if the response is not a list of announcements.
  ///
  /// ```swift
  /// let list = try await nova.announcements.list(near: Coordinate(latitude: 52.23, longitude: 21.01))
  /// for animal in list.animals { print(animal.name, animal.contactPhone) }
  /// for skipped in list.skipped { logger.warning("\(skipped)") }
  /// ```
  /// - Parameter place: the caller's position; the server lists the nearest animals first. Default: the server's order.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, for a place that does not exist.
  public func list(near place: Coordinate? = nil) async throws -> AnimalList {
    if let place, !place.isValid {
      throw APIError(
        .invalidArgument,
        "there is no place \(place)", reason: "expected a latitude from -90 to 90, a longitude from -180 to 180",
        rpc: AnnouncementsRPC.listAnnouncements.descriptor.id)
    }
    let request = ListAnnouncementsRequest(lat: place?.latitude, lng: place?.longitude)
    return AnimalList(try await listAnnouncements(request).data)
  }

  /// Returns the details of an announced pet.
  ///
  /// - Throws: ``APIError``; `notFound` if the announcement does not exist. ``AnnouncementError`` with the field, its
  ///   value, and the expected value, if the announcement violates the contract.
  public func detail(id: String) async throws -> PetDetails {
    try PetDetails(try await getAnnouncement(GetAnnouncementRequest(id: id)))
  }
}

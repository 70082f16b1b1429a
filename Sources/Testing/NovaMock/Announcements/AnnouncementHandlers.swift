import NovaAnnouncements
import NovaCore

extension MockHandlers {
  mutating func addAnnouncements() {
    on(AnnouncementsRPC.listAnnouncements) { request, state in
      guard let place = try request.place else { return .init(data: state.announcements) }
      let nearest = state.announcements.sorted { place.squaredDistance(to: $0) < place.squaredDistance(to: $1) }
      return .init(data: nearest)
    }
    on(AnnouncementsRPC.getAnnouncement) { request, state in
      guard let announcement = state.announcements.first(where: { $0.id == request.id }) else {
        throw MockFailure.missing("announcement", request.id)
      }
      return announcement
    }
  }
}

/// The location of a caller.
private struct Place {
  let latitude: Double
  let longitude: Double

  /// A measure for sorting by distance. Announcements without a location come last.
  func squaredDistance(to announcement: Announcement) -> Double {
    guard let otherLatitude = announcement.locationLatitude, let otherLongitude = announcement.locationLongitude else {
      return .infinity
    }
    let north = otherLatitude - latitude
    let east = otherLongitude - longitude
    return north * north + east * east
  }
}

extension ListAnnouncementsRequest {
  /// The location in the request: both coordinates or neither.
  fileprivate var place: Place? {
    get throws(MockFailure) {
      guard lat != nil || lng != nil else { return nil }
      guard let lat, let lng else { throw .invalid("lat and lng go together") }
      guard (-90...90).contains(lat), (-180...180).contains(lng) else {
        throw .invalid("lat must be from -90 to 90 and lng from -180 to 180")
      }
      return Place(latitude: lat, longitude: lng)
    }
  }
}

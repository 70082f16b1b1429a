public import NovaCore

/// The type of a captured thing. Open: servers may support more.
public struct ContentType: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A text of 1 to 10,000 characters.
  public static let text = ContentType(rawValue: "text")
  /// A picture, which is at the thing's media URL.
  public static let image = ContentType(rawValue: "image")
  /// A video, which is at the thing's media URL.
  public static let video = ContentType(rawValue: "video")
  /// A link.
  public static let url = ContentType(rawValue: "url")
}

extension CaptureServiceProtocol {
  /// Captures a text for the token's owner. Calling it twice captures it twice.
  ///
  /// ```swift
  /// let something = try await nova.capture.create(text: "The light this morning.")
  /// print(something.meaning ?? "The backend has found no meaning yet.")
  /// ```
  /// - Parameter text: 1 to 10,000 characters, as people count them.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, for a text of another length.
  @discardableResult
  public func create(text: String) async throws -> Something {
    try await create(.text, content: text)
  }

  /// Captures something for the token's owner. Calling it twice captures it twice.
  ///
  /// - Parameters:
  ///   - type: what it is.
  ///   - content: its text, 1 to 10,000 characters.
  ///   - mediaUrl: where its media is.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, for a text of another length.
  @discardableResult
  public func create(_ type: ContentType, content: String? = nil, mediaUrl: String? = nil) async throws -> Something {
    try await createSomething(
      CreateSomethingRequest(content: content, contentType: type.rawValue, mediaUrl: mediaUrl))
  }

  /// Lists what the token's owner has captured, newest first.
  ///
  /// - Parameters:
  ///   - skip: the number of items to skip, 0 or more. Default 0.
  ///   - limit: the maximum number of items, 1…100. Default 100.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, for a skip or a limit out of range.
  public func list(skip: Int = 0, limit: Int = 100) async throws -> [Something] {
    try await listSomethings(ListSomethingsRequest(skip: skip, limit: limit)).somethings
  }

  /// Returns a captured thing.
  ///
  /// - Throws: ``APIError``; `notFound` if the token's owner has no such thing.
  public func get(id: Int64) async throws -> Something {
    try await getSomething(GetSomethingRequest(id: id))
  }

  /// Replaces the meaning that the backend found with the user's own. Repeating the call changes nothing more.
  ///
  /// - Throws: ``APIError``; `notFound` if the token's owner has no such thing.
  @discardableResult
  public func updateMeaning(id: Int64, meaning: String) async throws -> Something {
    try await updateMeaning(UpdateMeaningRequest(id: id, meaning: meaning))
  }

  /// Deletes one captured thing.
  ///
  /// - Throws: ``APIError``; `notFound` if the token's owner has no such thing.
  public func delete(id: Int64) async throws {
    _ = try await deleteSomething(DeleteSomethingRequest(id: id))
  }

  /// Everything the token's owner has captured, newest first, read page by page while it is iterated.
  ///
  /// The server does not count the items: the pages' total is 0, and a full page can be followed by an empty one.
  ///
  /// - Parameters:
  ///   - pageSize: the number of items to request at a time, 1…100. Default 100.
  ///   - maximumCount: the maximum number of items to deliver. Default: all.
  ///   - onShift: called when the list is seen to have changed while it is read.
  public func all(
    pageSize: Int = 100, maximumCount: Int? = nil, onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Something> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let somethings = try await list(skip: offset, limit: limit)
      return Page(items: somethings, totalCount: 0, hasMore: somethings.count >= limit)
    }
  }
}

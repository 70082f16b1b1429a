public import NovaCore

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
  /// ```swift
  /// try await nova.capture.create(.url, content: "Read later", mediaUrl: "https://swift.org/blog")
  /// ```
  /// - Parameters:
  ///   - type: the type of the content.
  ///   - content: its text, 1 to 10,000 characters. Required for ``ContentType/text``.
  ///   - mediaUrl: the URL of its media, or of a link: an absolute `http` or `https` URL. Required for
  ///     ``ContentType/image``, ``ContentType/video``, and ``ContentType/url``.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, if what the type requires is missing or
  ///   invalid.
  @discardableResult
  public func create(_ type: ContentType, content: String? = nil, mediaUrl: String? = nil) async throws -> Something {
    try await createSomething(
      CreateSomethingRequest(content: content, contentType: type, mediaUrl: mediaUrl))
  }

  /// Lists the captures of the token's owner, newest first.
  ///
  /// - Parameters:
  ///   - skip: the number of items to skip, 0 or more. Default 0.
  ///   - limit: the maximum number of items, 1…100. Default 100.
  /// - Throws: ``APIError``; `invalidArgument`, before anything is sent, for a skip or a limit out of range.
  public func list(skip: Int = 0, limit: Int = 100) async throws -> [Something] {
    let request = ListSomethingsRequest(skip: skip, limit: limit)
    // In a message, 0 is an absent limit. Here, it is a mistake.
    if limit == 0, let problem = RequestRules.problem(with: "limit", of: request) {
      throw APIError(.invalidArgument, "limit \(problem)", rpc: CaptureRPC.listSomethings.descriptor.id)
    }
    return try await listSomethings(request).somethings
  }

  /// Returns a captured thing.
  ///
  /// - Throws: ``APIError``; `notFound` if the token's owner has no such capture.
  public func get(id: Int64) async throws -> Something {
    try await getSomething(GetSomethingRequest(id: id))
  }

  /// Replaces the meaning that the backend has assigned with the user's own. Repeating the call has no further effect.
  ///
  /// - Throws: ``APIError``; `notFound` if the token's owner has no such capture.
  @discardableResult
  public func updateMeaning(id: Int64, meaning: String) async throws -> Something {
    try await updateMeaning(UpdateMeaningRequest(id: id, meaning: meaning))
  }

  /// Deletes one captured thing.
  ///
  /// - Throws: ``APIError``; `notFound` if the token's owner has no such capture.
  public func delete(id: Int64) async throws {
    _ = try await deleteSomething(DeleteSomethingRequest(id: id))
  }

  /// All captures of the token's owner, newest first, read page by page during iteration.
  ///
  /// The server does not count the items. The pages' total is 0, and an empty page can follow a full one.
  ///
  /// - Parameters:
  ///   - pageSize: the number of items to request at a time, 1…100. Default 100.
  ///   - maximumCount: the maximum number of items to deliver. Default: all.
  ///   - onShift: called when the list turns out to have changed during reading.
  public func all(
    pageSize: Int = 100, maximumCount: Int? = nil, onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Something> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let somethings = try await list(skip: offset, limit: limit)
      return Page(items: somethings, totalCount: 0, hasMore: somethings.count >= limit)
    }
  }
}

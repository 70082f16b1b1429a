import Foundation
import NovaSDK

// The capture API story: the model, its JSON, and the calls. See GuideProfileSample.swift for the comments.

@MainActor enum CaptureAPISample {
  static let appState = AppState()

  static func createSomething(content: String?, contentType: ContentType, mediaUrl: String? = nil) async throws
    -> Something
  {
    // guide: try await APIService.shared.createSomething(content: content, contentType: contentType, mediaUrl: mediaUrl)
    try await NovaClient.shared.capture.create(contentType, content: content, mediaUrl: mediaUrl)
  }

  static func listSomethings(skip: Int = 0, limit: Int = 100) async throws -> [Something] {
    // guide: try await APIService.shared.listSomethings(skip: skip, limit: limit)
    try await NovaClient.shared.capture.list(skip: skip, limit: limit)
  }

  // guide: func updateMeaning(somethingId: Int, meaning: String) async throws -> Something {
  static func updateMeaning(somethingId: Int64, meaning: String) async throws -> Something {
    // guide: try await APIService.shared.updateMeaning(somethingId: somethingId, meaning: meaning)
    try await NovaClient.shared.capture.updateMeaning(id: somethingId, meaning: meaning)
  }

  static func capture(_ text: String) async -> Something? {
    do {
      return try await createSomething(content: text, contentType: .text)
    } catch APIError.unauthorized {
      appState.clearSession()  // Triggers navigation to AuthView
    } catch APIError.networkError {
      appState.setError("Network connection failed")
    } catch {
      appState.setError(error.localizedDescription)
    }
    return nil
  }

  static func decode(_ json: Data) throws -> (Something, Date?) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let something = try decoder.decode(Something.self, from: json)
    // guide: return (something, something.createdAt)
    return (something, Date(something.createdAt))
  }

  static func symbol(of something: Something) -> String {
    switch something.contentType {
    case .text: "text.quote"
    case .image: "photo"
    case .video: "video"
    case .url: "link"
    // guide: -
    default: "questionmark"
    }
  }
}

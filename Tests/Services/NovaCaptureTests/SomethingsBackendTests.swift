import NovaCapture
import NovaCore
import NovaTestSupport
import Testing

/// The capture service against a backend as it is found: a stand-in on a real socket.
@Suite struct SomethingsBackendTests {
  private func withCapture<Result: Sendable>(
    names: JSONNameStyle? = .proto, token: String = SomethingsBackend.token,
    _ body: (CaptureService, SomethingsBackend) async throws -> Result
  ) async throws -> Result {
    try await SomethingsBackend.run { url, backend in
      let client = try APIClient.test(
        CurlTransport(), baseURL: url,
        overrides: ConfigurationOverrides(services: ["capture": ServiceConfiguration(requestNames: names)]),
        token: token, clock: ContinuousClock())
      let result = try await body(CaptureService(client: client), backend)
      await client.shutdown(grace: .zero)
      return result
    }
  }

  @Test func withItsNamesEverythingArrives() async throws {
    try await withCapture { capture, _ in
      let image = try await capture.create(.image, content: "The sea", mediaUrl: "https://cdn.example/a.jpg")
      #expect(image.contentType == "image" && image.mediaUrl == "https://cdn.example/a.jpg")
      #expect(image.userId == SomethingsBackend.user)
      #expect(image.createdAt == Timestamp("2026-11-22T02:41:54.151632Z"))
      #expect(image.createdAt?.nanoseconds == 151_632_000)
      let changed = try await capture.updateMeaning(id: image.id, meaning: "Calm")
      #expect(changed.meaning == "Calm" && changed.isMeaningUserEdited)
      #expect(try await capture.list(skip: 0, limit: 1) == [changed])
      try await capture.delete(id: image.id)
      #expect(try await capture.list().isEmpty)
    }
  }

  @Test(arguments: [ContentType.image, .video, .url])
  func whatItDidNotReadIsAnError(_ type: ContentType) async throws {
    try await withCapture(names: nil) { capture, backend in
      let error = await apiError { try await capture.create(type, mediaUrl: "https://cdn.example/a.jpg") }
      #expect(error?.code == .unconfirmed)
      #expect(error?.unconfirmedRecord == UnconfirmedRecord(id: "1", fields: ["content_type", "media_url"]))
      #expect(error?.httpStatus == 201 && error?.attempts.count == 1)
      #expect(error?.message.contains("content_type and media_url") == true, "\(String(describing: error))")
      #expect(backend.count == 1, "it was created, and only once")
    }
  }

  @Test func textsArriveUnderEitherName() async throws {
    for names in [nil, JSONNameStyle.proto, .lowerCamelCase] {
      try await withCapture(names: names) { capture, _ in
        let something = try await capture.create(text: "Rain on the roof")
        #expect(something.content == "Rain on the roof")
      }
    }
  }

  @Test func theServersMessageIsInTheError() async throws {
    try await withCapture { capture, _ in
      let missing = await apiError { try await capture.get(id: 7) }
      #expect(missing?.code == .notFound)
      #expect(missing?.server?.message == "Something not found")
      let refused = await apiError { try await capture.createSomething(CreateSomethingRequest(contentType: "sound")) }
      #expect(refused?.code == .invalidArgument && refused?.httpStatus == 422)
      let message = "Input should be 'text', 'image', 'video' or 'url'"
      #expect(
        refused?.server
          == ServerError(
            code: "enum", message: "body.content_type: \(message)", metadata: ["body.content_type": message]))
    }
    try await withCapture(token: "another") { capture, _ in
      let error = await apiError { try await capture.list() }
      #expect(error?.code == .unauthorized)
      #expect(error?.server?.message == "Could not validate credentials")
    }
  }
}

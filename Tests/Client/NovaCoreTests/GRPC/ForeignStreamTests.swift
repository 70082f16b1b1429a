#if GRPC
  import NovaCore
  import NovaEvents
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// Streams of grpcio's server.
  @Suite(.hangLimit) struct ForeignStreamTests {
    private static let server = Result { try ForeignGRPCServer.shared() }
    private static let request = StreamEventsRequest(topics: ["post:1"])

    private func events(_ behavior: ForeignGRPCServer.Behavior) async throws -> (ids: [String], error: APIError?) {
      let options = try CallOptions(behavior)
      let ids = Locked<[String]>([])
      let url = try Self.server.get().url
      let error = await apiError {
        try await withGRPCClient(url) { client in
          for try await event in try await client.stream(EventRPC.streamEvents, Self.request, options: options) {
            ids.withLock { $0.append(event.id) }
          }
        }
      }
      return (ids.withLock { $0 }, error)
    }

    @Test(arguments: [0, 1, 2, 1000]) func everyMessageArrivesInOrder(_ count: Int) async throws {
      let (ids, error) = try await events(.init { $0.count = count })
      #expect(error == nil && ids.count == count, "\(ids.count) \(String(describing: error))")
      #expect(ids.dropFirst() == (1..<max(count, 1)).map { "e:\($0)" }[...])
    }

    @Test(arguments: [0, 1, 3]) func aFailureAfterMessagesIsNoEnd(_ count: Int) async throws {
      let (ids, error) = try await events(.init { ($0.count, $0.status, $0.message) = (count, 14, "mitten drin") })
      #expect(ids.count == count && error?.code == .unavailable, "\(ids) \(String(describing: error))")
      #expect(error?.grpcStatus == .unavailable && error?.server?.message == "mitten drin")
    }

    @Test func messagesAreLargerThanAWindow() async throws {
      let (ids, error) = try await events(.init { ($0.count, $0.bytes) = (5, 1 << 20) })
      #expect(error == nil && ids.count == 5 && ids.allSatisfy { $0.utf8.count > 1_000_000 })
    }

    /// The server is read no faster than the messages are taken.
    @Test func whoeverReadsSlowlyGetsAll() async throws {
      let options = try CallOptions(.init { ($0.count, $0.bytes) = (30, 200_000) })
      try await withGRPCClient(Self.server.get().url) { client in
        var count = 0
        for try await _ in try await client.stream(EventRPC.streamEvents, Self.request, options: options) {
          count += 1
          if count % 10 == 0 { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(count == 30)
      }
    }
  }
#endif

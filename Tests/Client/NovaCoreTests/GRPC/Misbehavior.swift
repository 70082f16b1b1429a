#if GRPC
  import NovaCore
  import NovaEvents
  import NovaGraph
  import NovaSocial
  import NovaTestSupport
  import Testing

  /// A way in which a server misbehaves, and what a call against it must come to.
  struct Misbehavior: Sendable, CustomTestStringConvertible {
    /// How a call ends.
    enum Outcome: Sendable, Equatable {
      case success
      /// A failure with one of these codes.
      case failure([APIError.Code])
      /// Either: what counts is that it ends.
      case any
    }

    let name: String
    let arguments: [String: String]
    var first: Int?
    let outcome: Outcome
    /// The status that the error reports; nil if that is left open.
    var status: GRPCStatus?
    /// How many attempts there are where three are allowed; nil if that is left open.
    var attempts: Int?
    /// What `requestMayHaveLeft` of the transport's error must be; nil if that is left open.
    var mayHaveLeft: Bool?
    /// A part of the server's message.
    var message: String?

    init(
      _ name: String, _ arguments: [String: String] = [:], first: Int? = nil, ends outcome: Outcome,
      status: GRPCStatus? = nil, attempts: Int? = nil, mayHaveLeft: Bool? = nil, message: String? = nil
    ) {
      (self.name, self.arguments, self.first, self.outcome) = (name, arguments, first, outcome)
      (self.status, self.attempts, self.mayHaveLeft, self.message) = (status, attempts, mayHaveLeft, message)
    }

    /// A failure with the code of a status that the server sent, or that gRPC prescribes.
    init(
      _ name: String, _ arguments: [String: String] = [:], first: Int? = nil, fails status: GRPCStatus,
      attempts: Int? = nil, message: String? = nil
    ) {
      let codes: [GRPCStatus: APIError.Code] = [
        .unknown: .serverError, .internalError: .serverError, .notFound: .notFound, .unavailable: .unavailable,
        .unimplemented: .unimplemented, .unauthenticated: .unauthorized, .permissionDenied: .permissionDenied,
        .resourceExhausted: .rateLimited, .cancelled: .cancelled, .invalidArgument: .invalidArgument,
      ]
      self.init(
        name, arguments, first: first, ends: .failure([codes[status] ?? .serverError]), status: status,
        attempts: attempts ?? (Self.transient.contains(status) ? 3 : 1),
        message: message)
    }

    /// What is tried again when that is safe. A gateway answers UNKNOWN and INTERNAL with HTTP 500, which is.
    private static let transient: Set<GRPCStatus> = [.unknown, .internalError, .unavailable, .resourceExhausted]

    var testDescription: String {
      "\(name) \(arguments.sorted { $0.key < $1.key }.map { "\($0)=\($1.prefix(40))" }.joined(separator: " "))"
    }
  }

  extension Misbehavior {
    /// What a call came to.
    struct Result: Sendable {
      var error: APIError?
      var messages = 0
      var log: MisbehavingGRPCServer.Log
    }

    /// A call of each kind.
    enum Call: String, Sendable, CaseIterable {
      /// Has no side effects.
      case read
      /// Must not run twice.
      case write
      /// Reads a stream of messages.
      case stream
    }

    /// Makes a call with up to three attempts.
    func run(
      _ call: Call = .read, timeout: Duration = .seconds(20),
      change: (inout ConfigurationOverrides) -> Void = { _ in }
    ) async throws -> Result {
      let server = try await MisbehavingGRPCServer(name, arguments, first: first)
      let options = CallOptions(timeout: timeout)
      let messages = Locked(0)
      let error = await apiError {
        try await withGRPCClient(server.url, attempts: 3, change: change) { client in
          switch call {
          case .read:
            let response = try await client.call(
              GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"), options: options)
            messages.withLock { $0 += response.userIds == ["u1", "u2"] && response.totalCount == 2 ? 1 : 1000 }
          case .write:
            _ = try await client.call(
              SocialRPC.createComment, CreateCommentRequest(postId: "p", userId: "u", content: "c"), options: options)
          case .stream:
            let stream = try await client.stream(
              EventRPC.streamEvents, StreamEventsRequest(topics: ["post:1"]), options: options)
            for try await event in stream {
              messages.withLock {
                $0 += 1
                if event.id != "e:\($0)" { $0 = 1000 }
              }
            }
          }
        }
      }
      return Result(error: error, messages: messages.withLock { $0 }, log: try await server.log())
    }

    /// What is wrong with a result; nil for nothing.
    func problem(of result: Result) -> String? {
      let seen =
        "\(testDescription): \(result.error.map { "\($0.code): \($0)" } ?? "success"), "
        + "\(result.messages) messages, attempts \(result.error?.attempts ?? [])"
      switch (outcome, result.error) {
      case (.any, _): return nil
      case (.success, nil): return result.messages < 1000 ? nil : "other messages: \(seen)"
      case (.success, _?): return "expected success: \(seen)"
      case (.failure(let codes), nil): return "expected \(codes): \(seen)"
      case (.failure(let codes), let error?):
        if !codes.contains(error.code) { return "expected \(codes): \(seen)" }
        if let status, error.grpcStatus != status {
          return "expected \(status), got \(error.grpcStatus as Any): \(seen)"
        }
        // A stream that has begun is not begun again.
        if let attempts, result.messages == 0, error.attempts.count != attempts {
          return "expected \(attempts) attempts: \(seen)"
        }
        if let mayHaveLeft, let transport = error.transport, transport.requestMayHaveLeft != mayHaveLeft {
          return "expected requestMayHaveLeft \(mayHaveLeft): \(seen)"
        }
        if let message, !"\(error) \(error.server?.message ?? "")".contains(message) {
          return "expected \(message.debugDescription) in the message: \(seen) \(error.server?.message ?? "")"
        }
        return nil
      }
    }
  }
#endif

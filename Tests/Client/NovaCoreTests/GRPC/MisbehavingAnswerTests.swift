#if GRPC
  import NovaCore
  import NovaTestSupport
  import Testing

  /// Answers with wrong statuses, wrong messages, or wrong fields.
  @Suite(.hangLimit) struct MisbehavingAnswerTests {
    /// What has no status is no success, and what proxies answer is read by its HTTP status.
    static let statuses: [Misbehavior] =
      [
        Misbehavior("no-trailers", fails: .unknown), Misbehavior("no-trailers", ["messages": "0"], fails: .unknown),
        Misbehavior("no-status", fails: .unknown), Misbehavior("head-alone", fails: .unknown),
        Misbehavior("status-before", ["status": "0"], fails: .unknown),
        Misbehavior("trailers-only", fails: .notFound), Misbehavior("trailers-only", ["type": ""], fails: .notFound),
        Misbehavior("trailers-only", ["status": "14"], fails: .unavailable),
        Misbehavior("status", ["status": "5", "messages": "1"], fails: .notFound),
        Misbehavior("status-twice", ["head": "0", "trailers": "13"], fails: .internalError),
        Misbehavior("status-twice", ["head": "13", "trailers": "0"], ends: .success),
      ]
      + ["", "abc", "-1", "1x", "5 5", "0x5", "99999999999999999999"].map {
        Misbehavior("status", ["status": $0], ends: .failure([.serverError]))
      }
      + [
        Misbehavior("status", ["status": "99"], ends: .failure([.serverError])),
        Misbehavior(
          "status", ["status": "0", "repeated": "5", "messages": "1"], ends: .failure([.notFound, .serverError])),
        Misbehavior("http-status", ["code": "400"], fails: .internalError),
        Misbehavior("http-status", ["code": "401"], fails: .unauthenticated),
        Misbehavior("http-status", ["code": "403"], fails: .permissionDenied),
        Misbehavior("http-status", ["code": "404"], fails: .unimplemented),
        Misbehavior("http-status", ["code": "409"], fails: .unknown),
        Misbehavior("http-status", ["code": "500"], fails: .unknown),
        Misbehavior("http-status", ["code": "204", "body": ""], fails: .unknown),
        Misbehavior("http-status", ["code": "302", "body": ""], fails: .unknown),
        Misbehavior("http-status", ["code": "200"], fails: .unknown, message: "text/html"),
        Misbehavior("http-and-status", ["code": "503", "status": "5"], fails: .notFound),
        Misbehavior("content-type", ["type": "application/json"], fails: .unknown),
        Misbehavior("content-type", ["type": "text/plain"], fails: .unknown),
        Misbehavior("content-type", ["type": "application/grpc-web"], fails: .unknown),
        Misbehavior("content-type", ["type": "application/grpc+proto"], ends: .success),
        Misbehavior("content-type", ["type": "application/grpc; charset=utf-8"], ends: .success),
        Misbehavior("content-type", ["type": "Application/GRPC"], ends: .success),
      ]
      + [429, 502, 503, 504].flatMap { code in
        ["text/html", "text/plain", "application/grpc"].map {
          Misbehavior("http-status", ["code": "\(code)", "type": $0], fails: .unavailable)
        }
      }

    @Test(arguments: statuses) func onlyStatusZeroIsSuccess(_ row: Misbehavior) async throws {
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    static let texts: [(sent: String, read: String)] = [
      ("100% of %zz", "100% of %zz"), ("a%FFb", "a\u{FFFD}b"), ("%", "%"), ("%4", "%4"), ("%E2%98", "\u{FFFD}"),
      ("%e2%98%ba", "☺"), ("%00x", "\u{0}x"), ("a+b", "a+b"), ("%2525", "%25"), ("", ""),
    ]

    @Test(arguments: texts) func messagesAreDecodedAsFarAsTheyCanBe(_ text: (sent: String, read: String)) async throws {
      let row = Misbehavior("status", ["status": "5", "message": text.sent], fails: .notFound)
      let result = try await row.run()
      #expect(row.problem(of: result) == nil)
      #expect((result.error?.server?.message ?? "") == text.read)
    }

    @Test(arguments: ["plain", "padded", "url"]) func detailsAreReadInEveryForm(_ form: String) async throws {
      let error = try await Misbehavior("with-details", ["form": form], ends: .success).run().error
      #expect(error?.code == .notFound && error?.server?.code == "USER_NOT_FOUND", "\(String(describing: error))")
    }

    @Test(arguments: ["broken", "truncated", "empty"]) func detailsThatCannotBeReadAreLeftOut(_ form: String)
      async throws
    {
      let error = try await Misbehavior("with-details", ["form": form], ends: .success).run().error
      #expect(error?.code == .notFound && error?.server?.message == "from the fields", "\(String(describing: error))")
    }

    /// `grpc-status` counts, and not the copy in the details.
    @Test func anotherStatusInTheDetailsDoesNotCount() async throws {
      let error = try await Misbehavior("with-details", ["status": "7", "code": "0"], ends: .success).run().error
      #expect(
        error?.code == .permissionDenied && error?.grpcStatus == .permissionDenied, "\(String(describing: error))")
    }

    private static let wrong = Misbehavior.Outcome.failure([
      .serverError, .invalidResponse, .unimplemented, .decodingError,
    ])
    static let messages: [Misbehavior] =
      [
        Misbehavior("no-message", ends: wrong),
        Misbehavior("success-in-the-head", ends: wrong),
        Misbehavior("two-messages", ends: wrong),
        Misbehavior("half-prefix", ["bytes": "1"], ends: wrong),
        Misbehavior("half-prefix", ["bytes": "4"], ends: wrong),
        Misbehavior("second-message-cut", ends: wrong),
        Misbehavior("prefix", ["flag": "1"], ends: wrong),
        Misbehavior("prefix", ["flag": "2"], ends: wrong),
        Misbehavior("prefix", ["flag": "255"], ends: wrong),
        Misbehavior("prefix", ["length": "100"], ends: wrong),
        Misbehavior("prefix", ["length": "3"], ends: wrong),
        Misbehavior("prefix", ["size": "2"], ends: wrong),
        Misbehavior("gzip", ends: wrong),
        Misbehavior("gzip", ["encoding": "br"], ends: wrong),
        Misbehavior("gzip", ["form": "garbage"], ends: wrong),
        Misbehavior("gzip", ["form": "truncated"], ends: wrong),
        Misbehavior("gzip", ["size": "50000000"], ends: wrong),
        Misbehavior("prefix", ["encoding": "gzip"], ends: .success),
        Misbehavior("prefix", ["encoding": "identity"], ends: .success),
      ]
      + ["0a7f75", "08", "0a", "ffffffffffffffffffffff01", "0a02c328", "0b", "0c", "0e00", "0f", "0affffffff07", "00"]
      .map { Misbehavior("malformed", ["bytes": $0], ends: .failure([.decodingError, .invalidResponse]), attempts: 1) }

    @Test(arguments: messages) func messagesThatAreWrongAreFailures(_ row: Misbehavior) async throws {
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    private static let tooLarge = Misbehavior.Outcome.failure([.invalidResponse, .rateLimited, .serverError])
    static let sizes: [Misbehavior] = [
      Misbehavior("large", ["size": "2000000"], ends: tooLarge, attempts: 1, message: "larger than"),
      Misbehavior("large", ["size": "0", "announced": "4294967295"], ends: tooLarge),
      Misbehavior("large", ["size": "900000"], ends: .success),
    ]

    @Test(arguments: sizes) func messagesAboveTheLimitAreRefused(_ row: Misbehavior) async throws {
      let result = try await row.run { $0.limits = TransferLimits(maximumResponseBytes: 1 << 20) }
      #expect(row.problem(of: result) == nil)
    }

    static let unusual: [Misbehavior] = [
      Misbehavior("byte-by-byte", ends: .success), Misbehavior("empty-frames", ends: .success),
      Misbehavior("padding", ends: .success),
      Misbehavior("padding", ["size": "0"], ends: .success), Misbehavior("informational", ends: .success),
      Misbehavior("unknown-frames", ends: .success), Misbehavior("late", ["seconds": "0.1"], ends: .success),
      Misbehavior("large-fields", ends: .success), Misbehavior("large-fields", ["trailers": "1"], ends: .success),
      Misbehavior("large-fields", ["size": "10", "count": "100"], ends: .success),
      Misbehavior("reset-after-trailers", ends: .success), Misbehavior("small-frames", ends: .success),
      Misbehavior("late-window", ends: .success), Misbehavior("settings-late", ends: .success),
      Misbehavior("flood", ["kind": "ping"], ends: .failure([.invalidResponse])),
      Misbehavior("flood", ["kind": "settings"], ends: .failure([.invalidResponse])),
      Misbehavior("flood", ["kind": "empty-data"], ends: .success),
      Misbehavior("flood", ["kind": "priority"], ends: .any),
    ]

    @Test(arguments: unusual) func whatIsUnusualSucceeds(_ row: Misbehavior) async throws {
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }
  }
#endif

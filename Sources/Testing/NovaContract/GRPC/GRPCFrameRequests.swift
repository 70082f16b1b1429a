#if GRPC
  import NovaCore

  /// Requests of an RPC whose frames or headers are wrong. gRPC's libraries refuse them with different statuses.
  enum GRPCFrameRequests {
    /// - Parameter requests: those of an RPC without side effects.
    static func all(_ requests: DerivedRequests) -> [SurveyRequest] {
      guard let body = try? requests.original("", .success).body else { return [] }
      var wrongType = broken("another content type", expecting: .refused, of: requests) { _ in }
      wrongType?.headers = ["Content-Type": "text/plain"]
      var unknownEncoding = broken("an unknown encoding of messages", expecting: .unknownEncoding, of: requests) {
        $0[0] = 1
      }
      unknownEncoding?.headers = ["grpc-encoding": "nova-contract"]
      var late = broken("a deadline that has passed", expecting: .late, of: requests) { _ in }
      late?.headers = ["grpc-timeout": "1n"]
      return [
        broken("no message", expecting: .cardinality, of: requests) { $0 = [] },
        broken("two messages", expecting: .cardinality, of: requests) { $0 += body },
        broken("a frame that is cut off", expecting: .refused, of: requests) { $0[4] += 1 },
        broken("a frame of 4 GiB that does not come", expecting: .refused, of: requests) {
          $0.replaceSubrange(1..<5, with: [0xFF, 0xFF, 0xFF, 0xFF])
        },
        broken("a compressed message without an encoding", expecting: .refused, of: requests) { $0[0] = 1 },
        broken("a message of 5 MiB", expecting: .tooLarge, of: requests) { body in
          let padding = WireMessage.field(536_870_911, [UInt8](repeating: 0, count: 5 << 20))
          body = GRPCForm.framed(Array(body.dropFirst(GRPCFrames.prefixLength)) + padding)
        }, unknownEncoding, wrongType, late,
      ].compactMap(\.self)
    }

    private static func broken(
      _ name: String, expecting refusal: Refusal, of requests: DerivedRequests, _ change: (inout [UInt8]) -> Void
    ) -> SurveyRequest? {
      requests.broken(name, expecting: .failure(refusal)) { change(&$0.body) }
    }
  }

  extension Refusal {
    /// A request that is not gRPC's: any failure that cannot pass by itself is right.
    fileprivate static let refused = Refusal(
      codes: [.serverError, .invalidArgument, .unimplemented, .rateLimited], statuses: [400, 429, 500, 501])
    /// A number of messages that a method does not take. Some libraries ignore further ones.
    fileprivate static let cardinality = Refusal(
      codes: [.serverError, .invalidArgument, .unimplemented], statuses: [400, 500, 501], accepted: .tolerated)
    fileprivate static let unknownEncoding = Refusal(
      codes: [.unimplemented, .serverError, .invalidArgument], statuses: [400, 500, 501])
    /// Servers may allow longer messages.
    fileprivate static let tooLarge = Refusal(codes: [.rateLimited], statuses: [429], accepted: .tolerated)
    /// Servers without deadlines waste work, and do no harm.
    fileprivate static let late = Refusal(codes: [.timeout], statuses: [504], accepted: .tolerated)
  }
#endif

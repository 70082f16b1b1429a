#if GRPC
  /// What precedes each message of gRPC: one byte that says whether it is compressed, and its length as four bytes.
  package enum GRPCPrefix {
    /// The length of the prefix, in bytes.
    package static let length = 5
  }
#endif

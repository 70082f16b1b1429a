#if GRPC
  internal import CNovaHTTP2

  /// nghttp2's session of a connection. Only the holder of the engine's lock may use it; the connection's writer reads
  /// the output without the lock, because only the writer changes that.
  final class HTTP2Session {
    private let session: OpaquePointer

    /// How much a server may send before this side has read it.
    private static let windows: (stream: Int32, connection: Int32) = (1 << 20, 16 << 20)

    /// Creates a session and its first frames; nil without memory.
    init?(maximumHeaderBytes: Int) {
      var options = nova_h2_options(
        stream_window: Self.windows.stream, connection_window: Self.windows.connection,
        header_list_size: UInt32(clamping: maximumHeaderBytes))
      var callbacks = HTTP2Callbacks.all
      guard let session = nova_h2_session_new(&callbacks, &options) else { return nil }
      self.session = session
    }

    deinit { nova_h2_session_free(session) }

    /// Sets who gets the events. It must live as long as the session is used.
    func setConnection(_ connection: HTTP2Connection) {
      nova_h2_set_context(session, Unmanaged.passUnretained(connection).toOpaque())
    }

    /// Opens a stream, and returns its number; nil if the numbers are used up, or memory is. The call must live until
    /// the stream is closed, reset, or forgotten.
    func submit(_ call: HTTP2Call, authority: [UInt8]) -> Int32? {
      let context = Unmanaged.passUnretained(call).toOpaque()
      let stream = call.fields.withRequest(authority: authority, hasBody: !call.body.isEmpty) { request in
        nova_h2_submit(session, &request, context)
      }
      return stream.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Resets a stream, and reports nothing more of it.
    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) { nova_h2_reset(session, stream, code.rawValue) }

    /// Reports nothing more of a stream.
    func forget(_ stream: Int32) { nova_h2_forget(session, stream) }

    /// Opens the window of a stream again.
    func consume(_ count: Int, of stream: Int32) { nova_h2_consume(session, stream, count) }

    func ping() { nova_h2_ping(session) }

    /// Announces the end of the connection.
    func leave(_ code: HTTP2ErrorCode) { nova_h2_leave(session, code.rawValue) }

    /// How many streams the server allows.
    var maximumStreams: Int { Int(nova_h2_max_streams(session)) }
    /// Whether neither side has anything more to send.
    var isOver: Bool { nova_h2_is_over(session) }
    /// How much of its output was certainly written to the socket.
    var writtenBytes: Int64 { nova_h2_dropped_bytes(session) }
    /// How much output there was in total.
    var filledBytes: Int64 { writtenBytes + Int64(nova_h2_output_size(session)) }

    /// Processes bytes of the server. Returns the problem that made the session unusable.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>, at now: Int64) -> String? {
      guard let start = bytes.baseAddress else { return nil }
      let code = nova_h2_receive(session, start, bytes.count, now)
      return code == 0 ? nil : String(cString: nova_h2_error_text(code))
    }

    /// Collects frames into the output. Returns how many bytes it has; negative without memory.
    func fillOutput() -> Int64 { nova_h2_fill_output(session) }

    /// The bytes to write next.
    var output: (UnsafePointer<UInt8>, Int)? {
      let count = nova_h2_output_size(session)
      return nova_h2_output(session).map { ($0, count) }
    }

    func dropOutput(_ count: Int) { nova_h2_drop_output(session, count) }
  }
#endif

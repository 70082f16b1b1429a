#if GRPC
  internal import CNovaHTTP2

  /// nghttp2's events, passed to the call or connection that they belong to. They come only while the engine's lock is
  /// held, because the session is used only then.
  enum HTTP2Callbacks {
    static var all: nova_h2_callbacks {
      nova_h2_callbacks(
        on_sending: { stream, position in calling(stream).position = position },
        on_body: { stream, buffer, size, ends in
          let call = calling(stream)
          let count = call.fill(UnsafeMutableBufferPointer(start: buffer, count: size))
          ends.pointee = call.isSent
          if count > 0, let core = call.connection?.core { call.lastActivity = core.now }
          return count
        },
        on_field: { stream, name, nameSize, value, valueSize in
          let call = calling(stream)
          return call.add(
            name: UnsafeBufferPointer(start: name, count: nameSize),
            value: UnsafeBufferPointer(start: value, count: valueSize))
        },
        on_fields_end: { stream, isLast in
          let call = calling(stream)
          call.connection?.receiveFields(of: call, isLast: isLast)
        },
        on_data: { stream, bytes, size in
          let call = calling(stream)
          call.connection?.receiveData(UnsafeBufferPointer(start: bytes, count: size), of: call)
        },
        on_end: { stream in
          let call = calling(stream)
          call.connection?.receiveEnd(of: call)
        },
        on_reset: { stream, code in calling(stream).resetCode = code },
        on_close: { stream, context, code in connected(context).streamClosed(stream.map(calling), code) },
        on_invalid: { stream, context, reason in
          let reason = String(cString: reason)
          if let stream { calling(stream).invalidReason = reason }
          connected(context).invalidReason = reason
        },
        on_settings: { context in connected(context).receiveSettings() },
        on_pong: { context in connected(context).receivePong() },
        on_goaway: { context, _, code, text, size in
          connected(context).receiveGoAway(
            HTTP2ErrorCode(rawValue: code), text: UnsafeBufferPointer(start: text, count: text == nil ? 0 : size))
        })
    }
  }

  // Both are kept alive by the engine's state while the session refers to them.
  private func calling(_ stream: UnsafeMutableRawPointer) -> HTTP2Call {
    Unmanaged<HTTP2Call>.fromOpaque(stream).takeUnretainedValue()
  }

  private func connected(_ context: UnsafeMutableRawPointer) -> HTTP2Connection {
    Unmanaged<HTTP2Connection>.fromOpaque(context).takeUnretainedValue()
  }
#endif

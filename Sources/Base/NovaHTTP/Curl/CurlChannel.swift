internal import CNovaCurl
internal import NovaLibc

/// A connection that libcurl made, read and written without waiting. It is closed when it is released.
package final class CurlChannel: @unchecked Sendable {
  // Sendable, because one thread may read while another one writes, and each of the two happens on one thread at a
  // time: reading on the reader's thread, writing by the connection's only writer.
  private let channel: OpaquePointer

  init(_ channel: OpaquePointer) { self.channel = channel }

  deinit { nova_curl_channel_free(channel) }

  /// The result of reading or writing.
  package enum Progress: Sendable {
    case bytes(Int)
    case mustWait
    case ended
    case failed(Int32)
  }

  package var descriptor: Int32 { nova_curl_channel_descriptor(channel) }

  /// Whether the server of a connection over TLS chose HTTP/2; known after the first ``read(into:)``.
  var choseHTTP2: Bool { nova_curl_channel_chose_http2(channel) }

  package func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Progress {
    Self.progress(nova_curl_channel_read(channel, buffer, count))
  }

  package func write(_ bytes: UnsafePointer<UInt8>, count: Int) -> Progress {
    Self.progress(nova_curl_channel_write(channel, bytes, count))
  }

  /// Ends the connection for both sides; it is closed later.
  package func end() { nova_curl_channel_end(channel) }

  private static func progress(_ count: Int) -> Progress {
    if count > 0 { return .bytes(count) }
    if count == 0 { return .ended }
    let code = errno
    return code == EAGAIN || code == EWOULDBLOCK ? .mustWait : .failed(code)
  }
}

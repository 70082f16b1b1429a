internal import CNovaCurl

/// The functions libcurl calls while a transfer runs, always on the loop's thread; each finds its transfer in the
/// context that ``CurlHandle/prepare(_:)`` gave. The engine keeps the transfer alive for as long.
enum CurlCallbacks {
  static let all = nova_curl_callbacks(
    on_body: { bytes, size, count, context in
      let length = size * count
      switch transfer(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: length)) {
      case .taken: return length
      case .refused: return refused
      case .paused: return Int(CURL_WRITEFUNC_PAUSE)
      }
    },
    on_header: { bytes, size, count, context in
      let length = size * count
      return transfer(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : refused
    },
    on_read: { bytes, size, count, context in
      switch transfer(context).fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
      case .bytes(let count): return count
      case .wait: return Int(CURL_READFUNC_PAUSE)
      case .failed: return Int(CURL_READFUNC_ABORT)
      }
    },
    on_seek: { context, offset, origin in
      origin == 0 && transfer(context).rewind(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    },
    on_progress: { context, _, down, _, up in
      transfer(context).receiveProgress(down: Int(down), up: Int(up))
      return 0
    },
    on_ready: { context, address, _, _, localPort in
      let transfer = transfer(context)
      guard transfer.mayReach(address: address.map { String(cString: $0) }) else { return 1 }
      return transfer.mayBeSent(localPort: localPort) ? 0 : 1
    })

  /// A count no chunk has (an empty one is 0 bytes, the largest 10 MB), so that libcurl always ends the transfer.
  private static let refused = 0x7fff_ffff

  private static func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
    Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }
}

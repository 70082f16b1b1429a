internal import CNovaCurl

/// The functions that libcurl calls during a transfer, always from the engine. The context of each is the handle, which
/// has the transfer. The engine keeps both alive.
enum CurlCallbacks {
  static let all = nova_curl_callbacks(
    on_body: { bytes, size, count, context in
      let length = size * count
      switch transfer(context, { $0.receiveBody(UnsafeRawBufferPointer(start: bytes, count: length)) }) {
      case .taken: return length
      case .refused, nil: return refused
      case .paused: return Int(CURL_WRITEFUNC_PAUSE)
      }
    },
    on_header: { bytes, size, count, context in
      let length = size * count
      let isTaken = transfer(context) { $0.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: length)) }
      return isTaken == true ? length : refused
    },
    on_read: { bytes, size, count, context in
      switch transfer(context, { $0.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) }) {
      case .bytes(let count): return count
      case .wait: return Int(CURL_READFUNC_PAUSE)
      case .failed, nil: return Int(CURL_READFUNC_ABORT)
      }
    },
    on_seek: { context, offset, origin in
      let isDone = transfer(context) { origin == 0 && $0.rewind(to: Int(offset)) }
      return isDone == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    },
    on_progress: { context, _, down, _, up in
      transfer(context) { $0.receiveProgress(down: Int(down), up: Int(up)) }
      return 0
    },
    on_ready: { context, address, _, _, localPort in
      let maySend = transfer(context) { $0.mayReach(address: address) && $0.mayBeSent(localPort: localPort) }
      return maySend == true ? 0 : 1
    })

  /// The server named the last stream that it will process.
  static let onGoaway: @convention(c) (UnsafeMutableRawPointer) -> Void = { context in
    transfer(context) { $0.receiveGoaway() }
  }

  /// A count that no chunk has (an empty one has 0 bytes, the largest 10 MB), so libcurl always ends the transfer.
  private static let refused = 0x7fff_ffff

  /// Calls `body` with the transfer; nil if the handle has none.
  @discardableResult
  private static func transfer<Result>(
    _ context: UnsafeMutableRawPointer, _ body: (CurlTransfer) -> Result
  ) -> Result? {
    // Without reference counting, because this is called many times per transfer.
    Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
      handle.transfer?._withUnsafeGuaranteedRef(body)
    }
  }
}

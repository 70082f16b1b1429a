internal import CNovaCurl

/// The functions libcurl calls while a transfer runs, always from the engine; each finds its transfer in the
/// handle, which is the context of all. The engine keeps both alive for as long.
enum CurlCallbacks {
  static let all = nova_curl_callbacks(
    on_body: { bytes, size, count, context in
      let length = size * count
      switch transfer(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: length)) {
      case .taken: return length
      case .refused, nil: return refused
      case .paused: return Int(CURL_WRITEFUNC_PAUSE)
      }
    },
    on_header: { bytes, size, count, context in
      let length = size * count
      let isTaken = transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: length)) ?? false
      return isTaken ? length : refused
    },
    on_read: { bytes, size, count, context in
      switch transfer(context)?.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
      case .bytes(let count): return count
      case .wait: return Int(CURL_READFUNC_PAUSE)
      case .failed, nil: return Int(CURL_READFUNC_ABORT)
      }
    },
    on_seek: { context, offset, origin in
      origin == 0 && transfer(context)?.rewind(to: Int(offset)) == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    },
    on_progress: { context, _, down, _, up in
      transfer(context)?.receiveProgress(down: Int(down), up: Int(up))
      return 0
    },
    on_ready: { context, address, _, _, localPort in
      guard let transfer = transfer(context), transfer.mayReach(address: address) else { return 1 }
      return transfer.mayBeSent(localPort: localPort) ? 0 : 1
    })

  /// A count no chunk has (an empty one is 0 bytes, the largest 10 MB), so that libcurl always ends the transfer.
  private static let refused = 0x7fff_ffff

  private static func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer? {
    // Called many times in a transfer, so without counting a reference to the handle.
    Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.transfer }
  }
}

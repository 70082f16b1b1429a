import Foundation
import NovaCore

/// A disk that becomes full.
enum FullDisk {
  /// Writes to a descriptor while there is room. If bytes don't fit, writes the first ones.
  static func writing(
    roomFor byteCount: Int
  ) -> @Sendable (_ bytes: [UInt8], _ descriptor: Int32) throws(SystemError) -> Void {
    let room = Locked(byteCount)
    return { (bytes, descriptor) throws(SystemError) in
      let count = room.withLock { room in
        defer { room -= min(room, bytes.count) }
        return min(room, bytes.count)
      }
      try SystemIO.write(Array(bytes[..<count]), to: descriptor)
      if count < bytes.count { throw SystemError(code: ENOSPC) }
    }
  }
}

#if GRPC
  extension UnsafePointer {
    /// Calls `body` with the value in memory, without retaining and releasing its parts: for an array's elements, that
    /// takes longer than writing them.
    ///
    /// `body` gets a copy of the bytes as its value. The copy is neither retained before nor released after, and the
    /// memory owns the parts for as long.
    @inlinable @inline(__always)
    func withUnretained<Result>(_ body: (Pointee) -> Result) -> Result {
      withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Pointee>.stride, alignment: MemoryLayout<Pointee>.alignment)
      { bytes in
        let copy = bytes.bindMemory(to: Pointee.self)
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: self, count: MemoryLayout<Pointee>.size))
        let value = copy.moveElement(from: 0)
        let result = body(value)
        copy.initializeElement(at: 0, to: consume value)
        return result
      }
    }
  }
#endif

#if GRPC
  extension ProtobufSizes: FieldSink {
    public typealias Failure = Never

    /// The size of a field's tag.
    @inlinable @inline(__always)
    func tagSize(_ index: Int) -> Int { Int(truncatingIfNeeded: tags[index] >> 56) }

    @inlinable
    public mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
      if C.isDefault(value) || problem != nil { return }
      total &+= tagSize(index)
      let size = C.measure(value, with: &self)
      total &+= size
      if problem != nil { locateProblem(inField: index) }
    }

    @inlinable
    public mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
      guard let value, problem == nil else { return }
      total &+= tagSize(index)
      let size = C.measure(value, with: &self)
      total &+= size
      if problem != nil { locateProblem(inField: index) }
    }

    @inlinable @inline(never)
    public mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
      if problem != nil { return }
      // Not the array's elements, whose parts would be retained and released.
      values.withUnsafeBufferPointer { values in
        guard let start = values.baseAddress, !values.isEmpty else { return }
        let tag = tagSize(index)
        if C.wireType == .lengthDelimited || tags[index] & 7 != UInt64(WireType.lengthDelimited.rawValue) {
          total &+= tag &* values.count
          for place in values.indices {
            let size = (start + place).withUnretained { C.measure($0, with: &self) }
            total &+= size
            if problem != nil { return locateProblem(inField: index, element: place) }
          }
        } else {
          let slot = reserve()
          var size = 0
          for place in values.indices {
            size &+= (start + place).withUnretained { C.measure($0, with: &self) }
            if problem != nil { return locateProblem(inField: index, element: place) }
          }
          set(slot, to: size)
          total &+= tag &+ Self.delimited(size)
        }
      }
    }

    @inlinable @inline(never)
    public mutating func write<K: ProtoMapKey, C: ProtoCodec>(
      _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
    ) {
      if map.isEmpty || problem != nil { return }
      let tag = tagSize(index)
      for key in K.inOrder(Array(map.keys)) {
        guard let value = map[key] else { continue }
        let place = reserve()
        var size = 2
        size &+= K.measure(key, with: &self)
        size &+= C.measure(value, with: &self)
        if problem != nil { return locateProblem(inField: index, entry: K.text(key)) }
        set(place, to: size)
        total &+= tag &+ Self.delimited(size)
      }
    }

    @usableFromInline @inline(never)
    mutating func locateProblem(inField index: Int, element: Int) {
      problem = problem?.inside(element: element)
      locateProblem(inField: index)
    }

    @usableFromInline @inline(never)
    mutating func locateProblem(inField index: Int, entry: String) {
      problem = problem?.inside(entry: entry)
      locateProblem(inField: index)
    }
  }
#endif

#if Server
  import NovaCore

  /// `grpc.reflection.v1.ServerReflection` and `v1alpha`: the services and their descriptors.
  struct ReflectionService: Sendable {
    static let names = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]

    let pool: DescriptorPool

    /// The fields of a request, and of the response to each.
    private enum Field {
      static let fileByName = 3, fileContainingSymbol = 4, fileContainingExtension = 5, extensionNumbers = 6
      static let listServices = 7
      static let files = 4, extensions = 5, services = 6, error = 7
    }

    /// A failure inside of a response: the stream continues.
    private struct NotFound: Error { let message: String }

    /// Responds to one of the requests of a stream.
    func response(to request: [UInt8]) throws(GRPCFailure) -> WireOutput {
      guard let fields = WireMessage(request), let host = fields.validText(1) else {
        throw .invalid("invalid request: it is not a ServerReflectionRequest")
      }
      // Of several members of a oneof, the last one counts.
      guard let member = fields.fields.last(where: { (3...7).contains($0.number) }),
        case .bytes(let value) = member.value,
        let text = member.number == Field.fileContainingExtension ? "" : String(validating: value, as: UTF8.self)
      else { throw GRPCFailure(.invalidArgument, "invalid request: it asks for nothing") }
      var writer = WireOutput()
      writer.text(1, host)
      writer.append(2, bytes: request)
      do throws(NotFound) {
        let (number, answer) = try answer(to: member.number, text, value)
        writer.message(number, answer)
      } catch {
        var failure = WireOutput()
        failure.integer(1, UInt64(GRPCStatus.notFound.rawValue))
        failure.text(2, error.message)
        writer.message(Field.error, failure)
      }
      return writer
    }

    private func answer(
      to field: Int, _ text: String, _ value: ArraySlice<UInt8>
    ) throws(NotFound) -> (Int, WireOutput) {
      switch field {
      case Field.fileByName: return (Field.files, try descriptors(of: text))
      case Field.fileContainingSymbol:
        guard let name = pool.file(containing: text) else {
          throw NotFound(message: "unknown symbol: \(text.printable(to: 200))")
        }
        return (Field.files, try descriptors(of: name))
      case Field.fileContainingExtension:
        let type = WireMessage(value)?.validText(1) ?? ""
        throw NotFound(message: "no extension of \(type.printable(to: 200)) is known")
      case Field.extensionNumbers:
        guard pool.messages.contains(text) else { throw NotFound(message: "unknown type: \(text.printable(to: 200))") }
        var writer = WireOutput()
        writer.text(1, text)
        return (Field.extensions, writer)
      default: return (Field.services, services)
      }
    }

    /// A file with all that it imports, so that clients need not ask for each import.
    private func descriptors(of name: String) throws(NotFound) -> WireOutput {
      let files = pool.closure(of: name)
      guard !files.isEmpty else { throw NotFound(message: "unknown file: \(name.printable(to: 200))") }
      var writer = WireOutput()
      for file in files { writer.append(1, bytes: file.bytes) }
      return writer
    }

    private var services: WireOutput {
      var writer = WireOutput()
      for name in GRPCMethod.services.sorted() {
        var service = WireOutput()
        service.text(1, name)
        writer.message(1, service)
      }
      return writer
    }
  }
#endif

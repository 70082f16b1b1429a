#if GRPC
  import NovaCoding
  import NovaSupport

  /// An error for descriptors that cannot be used, for bytes that are no message of a type, and for JSON that does not
  /// match one.
  package struct DynamicError: NovaError, Hashable {
    /// The place in the message: `items[3].price`. Empty for the message itself.
    package var path: String
    /// What is wrong, and what to do.
    package let problem: String
    /// The full name of the type that the descriptors lack, if that is the problem.
    package let missingType: String?

    package init(_ problem: String, at path: String = "", missingType: String? = nil) {
      self.path = path
      self.problem = problem
      self.missingType = missingType
    }

    /// Creates the error for a type that no descriptor defines.
    package static func missing(_ type: String) -> DynamicError {
      DynamicError("no descriptor defines the type \(type.printable(to: 200))", missingType: type)
    }

    static func expected(_ expected: String, found value: JSONValue) -> DynamicError {
      DynamicError("expected \(expected), found \(value.kindDescription)")
    }

    /// Prefixes the path with a field.
    func inside(_ component: String) -> DynamicError {
      var error = self
      let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
      error.path = component + separator + path
      return error
    }

    /// Prefixes the path with the index of an element.
    func inside(element index: Int) -> DynamicError { inside("[\(index)]") }

    package var description: String {
      // Names come from descriptors and keys of maps, which servers choose.
      (path.isEmpty ? problem : "\(path.shortened(to: 300)): \(problem)").escapingControls
    }
  }

  /// The limits of what comes from outside.
  package enum DynamicLimits {
    /// The maximum nesting depth of messages, as in Google's implementations.
    package static let depth = 100
    /// The maximum size of all descriptors of a server.
    package static let descriptorBytes = 64 * 1024 * 1024
  }
#endif

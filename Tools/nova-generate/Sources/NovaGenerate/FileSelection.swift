import SwiftProtobufPluginLibrary

/// What code is generated for: everything in the contract's own files, and of the files that they import the messages and
/// enums that are used. Without protobuf itself, and without messages that only options have.
struct FileSelection {
  struct File {
    let descriptor: FileDescriptor
    var messages: [Descriptor] = []
    var enums: [EnumDescriptor] = []
    var services: [ServiceDescriptor] = []

    var isEmpty: Bool { messages.isEmpty && enums.isEmpty && services.isEmpty }
  }

  /// The files that have something, in protoc's order.
  let files: [File]

  /// - Parameter ownFiles: the names of the contract's own files; nil for all.
  init(_ descriptors: DescriptorSet, ownFiles: Set<String>?) {
    let all = descriptors.files.filter { !$0.isProtobuf }
    let own = all.filter { (ownFiles?.contains($0.name) ?? true) && !$0.isOfOptions }
    let ownNames = Set(own.map(\.name))
    let used = UsedTypes(of: own)
    files = all.map { file in
      File(
        descriptor: file, messages: file.messages.filter { used.names.contains($0.fullName) },
        enums: file.enums.filter { used.names.contains($0.fullName) },
        services: ownNames.contains(file.name) ? file.services : [])
    }.filter { !$0.isEmpty }
  }
}

/// The messages and enums of a contract's own files, and those that they and the RPCs use. A nested type counts as the one
/// that it is in.
private struct UsedTypes {
  private(set) var names: Set<String> = []

  init(of files: [FileDescriptor]) {
    let options = Self.options(of: files)
    for file in files {
      for message in file.messages where !options.contains(message.fullName) { insert(message) }
      for enumeration in file.enums where !options.contains(enumeration.fullName) { insert(enumeration) }
      for method in file.services.flatMap(\.methods) {
        insert(method.inputType)
        insert(method.outputType)
      }
    }
  }

  private init() {}

  /// The types of extensions, in packages without services: what options say, which no message of the contract has.
  private static func options(of files: [FileDescriptor]) -> Set<String> {
    let packages = Set(files.filter { !$0.services.isEmpty }.map(\.package))
    let files = files.filter { !packages.contains($0.package) }
    var types = UsedTypes()
    for file in files {
      let scopes = file.messages.flatMap(\.withNested)
      for field in file.extensions + scopes.flatMap(\.extensions) { types.insert(typeOf: field) }
    }
    return types.names.intersection(files.flatMap { $0.messages.map(\.fullName) + $0.enums.map(\.fullName) })
  }

  private mutating func insert(_ message: Descriptor) {
    if let parent = message.containingType { return insert(parent) }
    guard names.insert(message.fullName).inserted else { return }
    for field in message.withNested.flatMap(\.fields) { insert(typeOf: field) }
  }

  private mutating func insert(_ enumeration: EnumDescriptor) {
    if let parent = enumeration.containingType { return insert(parent) }
    names.insert(enumeration.fullName)
  }

  private mutating func insert(typeOf field: SwiftProtobufPluginLibrary.FieldDescriptor) {
    if let entry = field.mapEntry { return insert(typeOf: entry.value) }
    if let message = field.messageType { insert(message) }
    if let enumeration = field.enumType { insert(enumeration) }
  }
}

extension FileDescriptor {
  fileprivate var isProtobuf: Bool { package == "google.protobuf" || package.hasPrefix("google.protobuf.") }

  /// Whether the file belongs to a well-known package of options, which contracts often have among their own files.
  fileprivate var isOfOptions: Bool {
    [
      "google.api", "buf.validate", "buf.validate.priv", "validate", "gogoproto",
      "grpc.gateway.protoc_gen_openapiv2.options",
    ].contains(package)
  }
}

import SwiftProtobufPluginLibrary

/// The files that code is generated for: without those of protobuf itself, and without packages that only declare options
/// (`google.api`, `buf.validate`), as long as nothing has a field of their types.
struct FileSelection {
  let files: [FileDescriptor]

  init(_ descriptors: DescriptorSet) {
    let all = descriptors.files.filter { $0.package != "google.protobuf" && !$0.package.hasPrefix("google.protobuf.") }
    let optionPackages = Set(all.filter(\.declaresExtensions).map(\.package))
      .subtracting(all.filter { !$0.services.isEmpty }.map(\.package))
    var selected = all.filter { !optionPackages.contains($0.package) }
    var names = Set(selected.map(\.name))
    var next = 0
    while next < selected.count {
      for file in selected[next].usedFiles where all.contains(where: { $0.name == file.name }) {
        if names.insert(file.name).inserted { selected.append(file) }
      }
      next += 1
    }
    files = all.filter { names.contains($0.name) }
  }
}

extension FileDescriptor {
  fileprivate var declaresExtensions: Bool {
    !extensions.isEmpty || messages.flatMap(\.withNested).contains { !$0.extensions.isEmpty }
  }

  /// The files of the types of fields, requests and responses.
  fileprivate var usedFiles: [FileDescriptor] {
    let fields = messages.flatMap(\.withNested).flatMap(\.fields).flatMap { field in
      field.mapEntry.map { [$0.value] } ?? [field]
    }
    let methods = services.flatMap(\.methods)
    return fields.compactMap { $0.messageType?.file ?? $0.enumType?.file } + methods.map(\.inputType.file)
      + methods.map(\.outputType.file)
  }
}

/// The .proto files of `google.api.http`, which protoc does not come with.
///
/// They are those of github.com/googleapis/googleapis (Apache License 2.0), without comments.
public enum BundledProtos {
  /// Path to content.
  public static let files = ["google/api/annotations.proto": annotations, "google/api/http.proto": http]

  private static let annotations = """
    // Copyright 2024 Google LLC. Licensed under the Apache License, Version 2.0.
    syntax = "proto3";

    package google.api;

    import "google/api/http.proto";
    import "google/protobuf/descriptor.proto";

    extend google.protobuf.MethodOptions {
      HttpRule http = 72295728;
    }

    """

  private static let http = """
    // Copyright 2024 Google LLC. Licensed under the Apache License, Version 2.0.
    syntax = "proto3";

    package google.api;

    message Http {
      repeated HttpRule rules = 1;
      bool fully_decode_reserved_expansion = 2;
    }

    message HttpRule {
      string selector = 1;
      oneof pattern {
        string get = 2;
        string put = 3;
        string post = 4;
        string delete = 5;
        string patch = 6;
        CustomHttpPattern custom = 8;
      }
      string body = 7;
      string response_body = 12;
      repeated HttpRule additional_bindings = 11;
    }

    message CustomHttpPattern {
      string kind = 1;
      string path = 2;
    }

    """
}

// Models for ProtoJSONDecoder, as a generator would write them: synthesized conformances, CodingKeys with the names of the
// wire, and open enumerations.

struct ProtoPost: Decodable {
  var id: String
  var creatorId: String
  var content: String
  var createdAt: Int64
  var updatedAt: Int64
  var title: String
  var privacy: Privacy
  var status: Status
  var mediaIds: [String]

  enum CodingKeys: String, CodingKey {
    case id, content, title, privacy, status
    case creatorId = "creator_id"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case mediaIds = "media_ids"
  }

  enum Privacy: OpenEnumeration {
    case `public`, followers, `private`
    case unknown(String)

    init(name: String) {
      self =
        switch name {
        case "public": .public
        case "followers": .followers
        case "private": .private
        default: .unknown(name)
        }
    }

    var name: String {
      switch self {
      case .public: "public"
      case .followers: "followers"
      case .private: "private"
      case .unknown(let name): name
      }
    }
  }

  enum Status: OpenEnumeration {
    case published, draft, archived
    case unknown(String)

    init(name: String) {
      self =
        switch name {
        case "published": .published
        case "draft": .draft
        case "archived": .archived
        default: .unknown(name)
        }
    }

    var name: String {
      switch self {
      case .published: "published"
      case .draft: "draft"
      case .archived: "archived"
      case .unknown(let name): name
      }
    }
  }
}

struct ProtoPosts: Decodable {
  var posts: [ProtoPost]
  var totalCount: Int32
  var hasMore: Bool

  enum CodingKeys: String, CodingKey {
    case posts
    case totalCount = "total_count"
    case hasMore = "has_more"
  }
}

struct ProtoFollowers: Decodable {
  var userIds: [String]
  var totalCount: Int32
  var hasMore: Bool

  enum CodingKeys: String, CodingKey {
    case userIds = "user_ids"
    case totalCount = "total_count"
    case hasMore = "has_more"
  }
}

/// An enumeration that keeps values which this version does not have.
protocol OpenEnumeration: Decodable, Defaultable {
  init(name: String)
}

extension OpenEnumeration {
  init() { self.init(name: "") }

  init(from decoder: any Decoder) throws {
    self.init(name: try decoder.singleValueContainer().decode(String.self))
  }
}

import NovaAnnouncements
import NovaAuth
import NovaUsers

extension UserProfile: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.username(username)
      rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
      rules.notNegative("follower_count", followerCount)
      rules.notNegative("following_count", followingCount)
      rules.notNegative("post_count", postCount)
    }
  }
}

extension UserSettings: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("user_id", userId)
      rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
    }
  }
}

extension User: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.username(username)
      rules.require(email.contains("@"), "email is \"\(email)\"; expected an e-mail address")
    }
  }
}

extension Announcement: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.degrees("location_latitude", locationLatitude, in: -90...90)
      rules.degrees("location_longitude", locationLongitude, in: -180...180)
    }
  }
}

extension Rules {
  fileprivate mutating func degrees(_ field: String, _ value: Double?, in range: ClosedRange<Double>) {
    require(
      value.map(range.contains) ?? false,
      "\(field) is \(value.map { "\($0)" } ?? "missing"); expected \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    )
  }

  fileprivate mutating func username(_ value: String) {
    let isPlain = value.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    require(isPlain, "username is \"\(value)\"; expected only A-Z, a-z, 0-9 and _")
    asRequested("username", in: RegisterRequest(username: value))
  }
}

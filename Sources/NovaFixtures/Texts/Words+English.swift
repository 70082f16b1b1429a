extension Words {
  static let english = Words(
    locale: .english, timezone: "Europe/London",
    given: [
      ("Ada", "ada"), ("Ben", "ben"), ("Chloé", "chloe"), ("Dylan", "dylan"), ("Erin", "erin"), ("Finn", "finn"),
      ("Grace", "grace"), ("Harry", "harry"), ("Isla", "isla"), ("Jack", "jack"), ("Kayla", "kayla"), ("Liam", "liam"),
      ("Maya", "maya"), ("Noah", "noah"), ("Olivia", "olivia"), ("Zoë", "zoe"),
    ],
    family: [
      "Adams", "Baker", "Clarke", "Davies", "Evans", "Foster", "Green", "Hughes", "Irving", "Johnson", "King", "Lewis",
      "Morgan", "O’Neill", "Smith-Jones", "Walker",
    ],
    cities: ["London", "Leeds", "Bristol", "Dublin", "Boston", "Austin", "Toronto", "Melbourne"],
    posts: [
      "Morning walk along the river.", "New coffee place around the corner, worth the queue.",
      "Shipped it. Small, but it works.", "Rain all day; the plants are happy.", "Reading about old maps again.",
      "The bread came out well this time 🍞", "Sunset from the hill, no filter 🌅", "Anyone up for a run tomorrow?",
      "Finally fixed the bike 🚲", "Two hours late, but the train had a piano.", "Learning to say no. It’s hard.",
      "My neighbour’s cat has moved in 🐈‍⬛", "First swim of the year. Cold!", "What is your favourite short book?",
      "The museum is free on Thursdays.", "Soup weather.",
    ],
    comments: [
      "Love this!", "Where is that?", "Count me in.", "Thanks for sharing 🙌", "Same here.", "Recipe, please!",
      "Made my day.", "See you there.", "Not sure about that…", "👏👏👏", "I was there last week!", "So true.",
    ],
    bios: [
      "Walks, coffee, code.", "Mostly plants.", "Opinions are my own 🤷‍♀️", "Amateur cellist, professional napper.",
      "Here for the cats.", "Once finished a marathon.",
    ],
    titles: ["Notes from the weekend", "A small victory", "On patience", "What I read in May"])
}

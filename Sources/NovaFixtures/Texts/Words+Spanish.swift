extension Words {
  static let spanish = Words(
    locale: .spanish, timezone: "Europe/Madrid",
    given: [
      ("Ana", "ana"), ("Begoña", "begona"), ("Carlos", "carlos"), ("Diego", "diego"), ("Elena", "elena"),
      ("Fermín", "fermin"),
      ("Gala", "gala"), ("Hugo", "hugo"), ("Inés", "ines"), ("José", "jose"), ("Lucía", "lucia"), ("Martín", "martin"),
      ("Nuria", "nuria"), ("Óscar", "oscar"), ("Raúl", "raul"), ("Íñigo", "inigo"),
    ],
    family: [
      "Álvarez", "Benítez", "Castro", "Díaz", "Etxeberria", "Fernández", "García", "Hernández", "Ibáñez", "Jiménez",
      "López",
      "Muñoz", "Núñez", "Ortiz", "Peña", "de la Cruz",
    ],
    cities: ["Madrid", "Barcelona", "A Coruña", "Cádiz", "Bogotá", "Córdoba", "Mérida", "Montevideo"],
    posts: [
      "Paseo por el río esta mañana.", "Un café nuevo en la esquina; vale la cola.", "¡Por fin funciona!",
      "Lluvia todo el día.",
      "Esta vez el pan salió bien 🍞", "Atardecer desde la colina 🌅", "¿Quién se apunta a correr mañana?",
      "La bici ya anda 🚲",
      "El tren llegó dos horas tarde, pero tenía piano.", "Primer baño del año. ¡Qué fría!",
      "El gato del vecino se ha mudado 🐈",
      "¿Cuál es vuestro libro corto favorito?", "Los jueves el museo es gratis.", "Día de sopa.",
      "Año nuevo, piso nuevo.",
      "El pingüino también quiere vacaciones 🐧",
    ],
    comments: [
      "¡Me encanta!", "¿Dónde es?", "Contad conmigo.", "Gracias por compartir 🙌", "Igual por aquí.",
      "¡La receta, por favor!",
      "Qué bonito.", "Nos vemos allí.", "No sé yo…", "👏", "¡Estuve la semana pasada!", "Tal cual.",
    ],
    bios: [
      "Café, libros, montaña.", "Casi siempre fuera.", "Equipo gato 🐱", "Aprendiendo.", "Opiniones propias.",
      "Corrí un maratón, una vez.",
    ],
    titles: ["Notas del fin de semana", "Una pequeña victoria", "Sobre la paciencia", "Lecturas de mayo"])
}

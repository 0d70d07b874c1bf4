// Spanish translations by some of the demo's organizations.

extension DemoTown {
    static let language = WrittenLanguage(typed: "en")
    static let secondLanguage = WrittenLanguage(typed: "es")

    /// Spanish titles and texts, by the English title.
    fileprivate static let spanish: [String: (title: String, text: String)] = [
        "Story hour on the big rug": (
            "La hora del cuento en la alfombra grande",
            """
            Dos cuentos cortos, uno largo y una canción para el camino a casa. Nos sentamos en la alfombra grande del \
            segundo piso, junto a la ventana de los peces.

            Si a alguien le gusta más construir una torre mientras escucha, puede hacerlo: los bloques silenciosos \
            están en la caja azul. Los hermanos son bienvenidos, y también los abuelos con buena voz.
            """
        ),
        "Homework, with company": (
            "La tarea, en compañía",
            """
            Tres estudiantes universitarios, un bote de lápices y mesas donde cabe un mapa del mundo. Ayudan con \
            fracciones, redacciones y la tabla periódica, y saben cuándo dejar a alguien en paz.

            Ven al salir de la escuela y vete cuando termines. A las cuatro y media hay galletas.
            """
        ),
        "Learn to swim: from bubbles to floating": (
            "Aprender a nadar: de las burbujas a flotar",
            """
            Cuatro niños por cada maestra, y el agua es tan honda como la necesita el más pequeño. Primero entra la \
            cara, luego suben los pies, y un día alguien se da cuenta de que ya lleva un rato flotando.

            Se puede venir una tarde o todas; empezamos donde esté cada quien. Los lentes ayudan; los flotadores y la \
            paciencia los ponemos nosotros.
            """
        ),
    ]
}

extension DemoTown.Offer {
    /// The Spanish title and text, if the organization has them.
    var spanish: (title: String, text: String)? { DemoTown.spanish[title] }
}

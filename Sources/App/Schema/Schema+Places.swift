import Database

extension Schema {
    /// Points on the map, each once, and the gazetteer's towns and ZIP codes.
    ///
    /// `band` is the quarter of a degree of latitude, counted from the south pole: nearby points are in a few bands,
    /// within a range of longitude. A town's ID is its rank by size, the largest first.
    static let places = Migration(
        name: "places",
        text: """
            CREATE TABLE point (
                id @id,
                latitude @real NOT NULL CHECK (latitude BETWEEN -90 AND 90),
                longitude @real NOT NULL CHECK (longitude BETWEEN -180 AND 180),
                band @integer NOT NULL,
                UNIQUE (latitude, longitude)
            );
            CREATE INDEX point_band ON point (band, longitude, latitude);

            CREATE TABLE town (
                id @id,
                name_key @text NOT NULL,
                name @text NOT NULL,
                region @text NOT NULL,
                country @text NOT NULL,
                latitude @real NOT NULL,
                longitude @real NOT NULL,
                zone @text NOT NULL,
                population @integer NOT NULL,
                band @integer NOT NULL
            );
            CREATE INDEX town_name ON town (name_key, country, population);
            CREATE INDEX town_band ON town (band, longitude);

            CREATE TABLE zip (
                code @text NOT NULL PRIMARY KEY,
                city @text NOT NULL,
                city_key @text NOT NULL,
                state @text NOT NULL,
                latitude @real NOT NULL,
                longitude @real NOT NULL,
                zone @text NOT NULL
            );
            CREATE INDEX zip_city ON zip (city_key, state, code);
            """)
}

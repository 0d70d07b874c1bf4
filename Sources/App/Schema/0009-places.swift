import Database

extension Schema {
    /// Points on the map, each once, and the towns and ZIP codes of the gazetteer.
    ///
    /// `band` is the quarter of a degree of latitude, counted from the south pole: what is near lies in a few bands,
    /// within a range of longitude. The events of a place follow each other in its index: no search for what is near
    /// looks at events that aren't. Towns have their rank by size as id, the largest first.
    static let places = Migration(
        name: "0009-places",
        text: """
            CREATE TABLE place (
                id @id,
                latitude @real NOT NULL CHECK (latitude BETWEEN -90 AND 90),
                longitude @real NOT NULL CHECK (longitude BETWEEN -180 AND 180),
                band @integer NOT NULL,
                UNIQUE (latitude, longitude)
            );
            CREATE INDEX place_band ON place (band, longitude, latitude);

            ALTER TABLE event ADD COLUMN place_id @integer REFERENCES place (id);
            CREATE INDEX event_place ON event (place_id, starts_at, id) WHERE listed AND place_id IS NOT NULL;

            CREATE INDEX event_zip ON event (substr(zip, 1, 5), starts_at, id) WHERE listed;

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

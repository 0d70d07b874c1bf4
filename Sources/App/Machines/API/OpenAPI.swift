import Templating

/// The OpenAPI 3.1 description of `/api`, which `EventJSON.swift` and `APIController.swift` implement.
struct OpenAPI: Sendable {
    /// The site's public URL.
    let site: String

    var document: JSON {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Village", "version": "1",
                "description":
                    "What is on in the town and how to help, for programs. Read only. Nothing here says who comes.",
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": .string(site)]],
            "paths": Self.paths,
            "components": [
                "schemas": Self.schemas,
                "securitySchemes": [
                    "session": [
                        "type": "apiKey", "in": "cookie",
                        "name": .string(site.hasPrefix("https://") ? "__Host-village" : "village"),
                        "description": "The session of somebody who logged in on the site.",
                    ]
                ],
            ],
        ]
    }

    // MARK: Paths

    private static var paths: JSON {
        [
            "/api/events": [
                "get": .object(
                    operation("listEvents", "Coming events, 20 at a time; the filters are those of the site's own page")
                        + [
                            ("parameters", .array(filters)),
                            ("responses", answers("EventPage", "Events", refusals: [400, 404, 414, 429, 503])),
                        ])
            ],
            "/api/events/{id}": [
                "get": .object(
                    operation("getEvent", "One event, also when it is over or canceled") + [
                        (
                            "parameters",
                            [
                                inPath(
                                    "id",
                                    ["type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_999])
                            ]
                        ),
                        ("responses", answers("Event", "The event", refusals: [404, 429, 503])),
                    ])
            ],
            "/api/opportunities": [
                "get": .object(
                    operation(
                        "listOpportunities",
                        "What organizations ask for, 20 at a time; the filters are those of the site's own page")
                        + [
                            ("parameters", .array(helpFilters)),
                            (
                                "responses",
                                answers("OpportunityPage", "Ways to help", refusals: [400, 404, 414, 429, 503])
                            ),
                        ])
            ],
            "/api/opportunities/{id}": [
                "get": .object(
                    operation("getOpportunity", "One way to help, also when it is over or closed") + [
                        (
                            "parameters",
                            [
                                inPath(
                                    "id",
                                    ["type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_999])
                            ]
                        ),
                        ("responses", answers("Opportunity", "The way to help", refusals: [404, 429, 503])),
                    ])
            ],
            "/api/providers": [
                "get": .object(
                    operation("listProviders", "Who offers events, 20 at a time") + [
                        ("parameters", [after(id)]),
                        ("responses", answers("ProviderPage", "Providers", refusals: [400, 414, 429, 503])),
                    ])
            ],
            "/api/providers/{username}": [
                "get": .object(
                    operation("getProvider", "One provider") + [
                        ("parameters", [inPath("username", ["type": "string", "pattern": "^[a-z0-9_-]{6,30}$"])]),
                        ("responses", answers("Provider", "The provider", refusals: [404, 429, 503])),
                    ])
            ],
            "/api/me/family": [
                "get": .object(
                    operation("getOwnFamily", "The family of the account that asks, and no other") + [
                        ("security", [["session": []]]),
                        ("responses", answers("Family", "The family", refusals: [401, 404, 429, 503])),
                    ])
            ],
        ]
    }

    private static func operation(_ name: String, _ summary: String) -> [(name: String, value: JSON)] {
        [("operationId", .string(name)), ("summary", .string(summary))]
    }

    private static func inPath(_ name: String, _ schema: JSON) -> JSON {
        ["name": .string(name), "in": "path", "required": true, "schema": schema]
    }

    private static func inQuery(_ name: String, _ text: String, _ schema: JSON) -> JSON {
        ["name": .string(name), "in": "query", "description": .string(text), "schema": schema]
    }

    private static func answers(_ schema: String, _ text: String, refusals: [Int]) -> JSON {
        let refused: [(name: String, value: JSON)] = refusals.map { status in
            (
                String(status),
                [
                    "description": "Refused; `detail` says why.",
                    "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
                ]
            )
        }
        let answer: JSON = [
            "description": .string(text),
            "content": ["application/json": ["schema": ["$ref": .string("#/components/schemas/\(schema)")]]],
        ]
        return .object([("200", answer)] + refused)
    }

    /// The parameters of `EventFilter`.
    private static var filters: [JSON] {
        let day: JSON = ["type": "string", "format": "date"]
        let words: JSON = ["type": "string", "pattern": "\\S"]
        return [
            inQuery("q", "Words: all must be there, beginnings are enough.", text),
            inQuery("city", "A city or town.", text),
            inQuery("zip", "A ZIP or postal code.", words),
            inQuery(
                "near", "What is near this place: `95112`, `San Jose, CA`. 404 where it isn't known.",
                words),
            inQuery("within", "How far around it.", ["type": "integer", "minimum": 1, "maximum": 200]),
            inQuery("unit", "Miles or kilometers.", ["type": "string", "enum": ["mi", "km"]]),
            inQuery(
                "sort", "The order; around a place the nearest come first unless another is asked for.",
                ["type": "string", "enum": ["soonest", "nearest", "newest"]]),
            inQuery("from", "The first day.", day),
            inQuery("to", "The last day.", day),
            inQuery(
                "when", "Days seen from today, instead of `from` and `to`.",
                ["type": "string", "enum": ["today", "weekend", "week"]]),
            inQuery(
                "age", "For children of each of these ages.",
                [
                    "type": "array", "maxItems": 18, "uniqueItems": true,
                    "items": ["type": "integer", "minimum": 0, "maximum": 17],
                ]),
            inQuery(
                "free_places", "At least so many places are left.",
                ["type": "integer", "minimum": 1, "maximum": 100]),
            inQuery("price", "Free of charge.", ["type": "string", "enum": ["free"]]),
            inQuery("covid_safe", "COVID-safe.", ["type": "string", "enum": ["1"]]),
            inQuery("audience", "For children, or for everybody.", ["type": "string", "enum": ["kids", "everyone"]]),
            inQuery(
                "access", "What a family needs: each of these.",
                [
                    "type": "array", "uniqueItems": true,
                    "items": [
                        "type": "string",
                        "enum": .array(Amenity.allCases.map { .string($0.rawValue) } + ["online"]),
                    ],
                ]),
            inQuery(
                "written", "Title and description are written in this language.",
                ["type": "string", "enum": .array(WrittenLanguage.all.map { .string($0.tag) })]),
            inQuery(
                "tag", "Each of these tags.",
                [
                    "type": "array", "maxItems": .integer(EventFilter.mostTags), "uniqueItems": true,
                    "items": ["type": "string", "pattern": "[^\\s,]"],
                ]),
            after("\(turn)[0-9]{1,15}_\(id)"),
        ]
    }

    /// The position in a list; `pattern` is the format of its `Cursor`.
    private static func after(_ pattern: String) -> JSON {
        inQuery(
            "after", "Those after this one: take `next` as it comes.",
            ["type": "string", "pattern": .string("^\(pattern)$")])
    }

    /// The keys of cursors: an ID, and a place in lists sorted by distance.
    private static let id = "[1-9][0-9]{0,16}"
    private static let turn = "([0-9]{1,5}(\\.[0-9]{1,17})?(e-[0-9]{1,3})?_\(id)_)?"

    /// The parameters of `OpportunityFilter`.
    private static var helpFilters: [JSON] {
        let day: JSON = ["type": "string", "format": "date"]
        let isSet: JSON = ["type": "string", "enum": ["1"]]
        return [
            inQuery("q", "Words: all must be there, beginnings are enough.", text),
            inQuery(
                "kind", "What is asked for.",
                ["type": "array", "items": ["type": "string", "enum": kinds]]),
            inQuery("tag", "One tag.", ["type": "string", "pattern": "[^\\s,]"]),
            inQuery("near", "What is near this place; 404 where it isn't known.", text),
            inQuery("within", "How far around it.", ["type": "integer", "minimum": 1, "maximum": 200]),
            inQuery("unit", "Miles or kilometers.", ["type": "string", "enum": ["mi", "km"]]),
            inQuery("from", "The first day.", day), inQuery("to", "The last day.", day),
            inQuery("hours", "At most so many hours a week.", ["type": "integer", "minimum": 1, "maximum": 60]),
            inQuery("age", "For somebody of this age.", ["type": "integer", "minimum": 0, "maximum": 99]),
            inQuery("home", "It can be done from home.", isSet),
            inQuery("children", "Children may come along.", isSet),
            inQuery("verified", "Of verified organizations alone.", isSet),
            inQuery("organization", "The user name of one organization.", ["type": "string", "pattern": "\\S"]),
            inQuery("sort", "The order.", ["type": "string", "enum": ["newest", "nearest"]]),
            after("\(turn)\(id)"),
        ]
    }

    private static var kinds: JSON { .array(Opportunity.Kind.allCases.map { .string($0.rawValue) }) }

    // MARK: Schemas

    private static var schemas: JSON {
        .object([
            ("Event", event), ("Provider", provider), ("Family", family), ("Problem", problem), ("Place", place),
            ("EventPage", page(of: "Event")), ("ProviderPage", page(of: "Provider")), ("Opportunity", opportunity),
            ("OpportunityPage", page(of: "Opportunity")),
        ])
    }

    private static let text: JSON = ["type": "string"]
    private static let flag: JSON = ["type": "boolean"]
    private static let url: JSON = ["type": "string", "format": "uri"]
    private static let maybeURL: JSON = ["type": ["string", "null"], "format": "uri"]
    private static let maybeMoment: JSON = ["type": ["string", "null"], "format": "date-time"]
    private static let moment: JSON = ["type": "string", "format": "date-time"]
    private static let maybeText: JSON = ["type": ["string", "null"]]
    private static let left: JSON = [
        "type": ["integer", "null"], "minimum": 0,
        "description": "How many can still register; null without a limit, and while not everyone can register.",
    ]
    private static let age: JSON = ["type": ["integer", "null"], "minimum": 0, "maximum": 17]

    /// An object with exactly these members.
    ///
    /// - Parameter optional: Members that belong to a part of the site that can be switched off.
    private static func object(
        _ members: [(name: String, value: JSON)], optional: Set<String> = [], or null: JSON? = nil
    ) -> JSON {
        let required = members.map(\.name).filter { !optional.contains($0) }
        return [
            "type": null.map { ["object", $0] } ?? "object", "additionalProperties": false,
            "required": .array(required.map { .string($0) }), "properties": .object(members),
        ]
    }

    private static func page(of schema: String) -> JSON {
        object([
            ("items", ["type": "array", "items": ["$ref": .string("#/components/schemas/\(schema)")]]),
            (
                "next",
                [
                    "type": ["string", "null"], "format": "uri",
                    "description": "Where the list goes on; null at its end.",
                ]
            ),
        ])
    }

    private static var event: JSON {
        object([
            ("id", ["type": "integer"]), ("url", url), ("title", text),
            ("audience", ["type": "string", "enum": ["kids", "everyone"]]), ("description", text),
            ("language", writtenLanguage),
            (
                "other_text",
                object([("language", text), ("title", text), ("description", text)], or: "null")
            ),
            ("starts_at", moment), ("ends_at", maybeMoment),
            ("time_zone", text), ("is_cancelled", flag), ("cancel_reason", maybeText),
            ("is_online", ["type": "boolean", "description": "The link is for families who registered."]),
            ("place_name", maybeText),
            ("place", ["anyOf": [["$ref": "#/components/schemas/Place"], ["type": "null"]]]),
            (
                "coordinate",
                object([("latitude", ["type": "number"]), ("longitude", ["type": "number"])], or: "null")
            ),
            ("spots", ["type": ["integer", "null"], "minimum": 1]),
            ("places_left", left),
            ("age_from", age), ("age_to", age), ("price", object([("amount", text), ("currency", text)], or: "null")),
            ("pay_what_you_can", flag),
            ("late", ["type": "boolean", "description": "Whether one may still register while it is on."]),
            (
                "sessions",
                [
                    "type": "array", "description": "Those that families choose for each child; empty of most events.",
                    "items": session,
                ]
            ),
            (
                "draw",
                [
                    "type": ["string", "null"], "format": "uri",
                    "description": "The draw that gives out its places by lot; nobody registers until it is over.",
                ]
            ),
            ("registration_opens_at", maybeMoment), ("registration_closes_at", maybeMoment),
            ("covid_safe", flag), ("bring", maybeText), ("safety", maybeText),
            ("access", ["type": "array", "items": text]), ("tags", ["type": "array", "items": text]),
            (
                "picture",
                object(
                    [("url", url), ("width", ["type": "integer"]), ("height", ["type": "integer"]), ("alt", text)],
                    or: "null")
            ),
            ("provider", object([("username", text), ("organization", maybeText), ("url", maybeURL)])),
            ("created_at", moment), ("updated_at", moment),
        ])
    }

    private static var session: JSON {
        object([
            ("id", ["type": "integer"]), ("url", url), ("name", text), ("description", maybeText),
            ("place_name", maybeText), ("starts_at", moment), ("ends_at", moment),
            ("spots", ["type": ["integer", "null"], "minimum": 1]),
            ("places_left", left), ("age_from", age), ("age_to", age),
        ])
    }

    private static var writtenLanguage: JSON {
        ["type": ["string", "null"], "description": "What title and description are written in (BCP 47)."]
    }

    private static var opportunity: JSON {
        let count: JSON = ["type": ["integer", "null"], "minimum": 0]
        let money = object([("amount", text), ("currency", text)], or: "null")
        let day: JSON = ["type": ["string", "null"], "format": "date"]
        return object([
            ("id", ["type": "integer"]), ("url", url), ("kind", ["type": "string", "enum": kinds]), ("title", text),
            ("description", text), ("language", writtenLanguage), ("conditions", maybeText),
            ("link", ["type": ["string", "null"], "description": "Where one signs up or gives, if not here."]),
            (
                "schedule",
                ["type": "string", "enum": .array(Opportunity.Rhythm.allCases.map { .string($0.rawValue) })]
            ),
            ("hours", count), ("age_from", count), ("with_adult", flag), ("children", flag), ("home", flag),
            ("approval", ["type": "boolean", "description": "Whether the organization says yes first."]),
            ("until", day),
            (
                "next_shift",
                object(
                    [
                        ("starts_at", moment), ("ends_at", moment), ("spots", ["type": "integer", "minimum": 1]),
                        ("places_left", ["type": "integer", "minimum": 0]),
                    ], or: "null")
            ),
            ("wanted", count), ("promised", count), ("goal", money),
            ("amount", money), ("as_of", day), ("time_zone", text), ("place_name", maybeText),
            ("place", ["anyOf": [["$ref": "#/components/schemas/Place"], ["type": "null"]]]),
            (
                "coordinate",
                object([("latitude", ["type": "number"]), ("longitude", ["type": "number"])], or: "null")
            ),
            ("tags", ["type": "array", "items": text]), ("is_open", flag),
            ("provider", object([("username", text), ("organization", maybeText), ("url", maybeURL)])),
            ("created_at", moment), ("updated_at", moment),
        ])
    }

    private static var place: JSON {
        object([
            ("address", maybeText), ("city", text), ("state", maybeText), ("zip", maybeText), ("country", text),
            ("line", text),
        ])
    }

    private static var provider: JSON {
        object(
            [
                ("username", text), ("url", url), ("organization", text), ("person", text), ("designation", text),
                ("place", ["$ref": "#/components/schemas/Place"]), ("phone", text), ("email", maybeText),
                ("website", maybeText), ("scope", maybeText), ("mission", maybeText), ("kind", maybeText),
                ("asks", ["type": ["string", "null"], "description": "What people can ask them for."]),
                (
                    "verified",
                    ["type": ["string", "null"], "description": "What the people who run the site checked."]
                ),
                ("followers", ["type": "integer"]),
                ("helpers", ["type": "integer", "description": "Whose hours they confirmed."]),
                ("minutes", ["type": "integer"]), ("reviews", ["type": "integer"]),
                ("stars", ["type": ["number", "null"], "description": "The average, from three reviews on."]),
            ], optional: ["followers", "helpers", "minutes", "reviews", "stars"])
    }

    private static var family: JSON {
        let child = object([
            ("id", ["type": "integer"]), ("nickname", text),
            ("birth_month", ["type": "integer", "minimum": 1, "maximum": 12]), ("birth_year", ["type": "integer"]),
        ])
        return object([
            ("first_name", text), ("last_name", text), ("city", text), ("zip", text), ("country", text),
            ("phone", maybeText), ("number_of_children", ["type": ["integer", "null"]]),
            ("age_groups", ["type": "array", "items": text]), ("children", ["type": "array", "items": child]),
        ])
    }

    private static var problem: JSON {
        [
            "type": "object", "description": "RFC 9457.", "required": ["type", "title", "status", "detail"],
            "properties": [
                "type": text, "title": text, "status": ["type": "integer"], "detail": text,
                "request": [
                    "type": "string", "description": "Stands in the log of the site, where the fault is ours.",
                ],
            ],
        ]
    }
}

@testable import App

extension TestSite {
    /// Loads a handful of towns and ZIP codes: a test build would take seconds to read the whole gazetteer.
    func gazetteer() async throws {
        let towns = [
            "London,GB,ENG,51.5085,-0.1257,8961989,Europe/London", "Berlin,DE,16,52.5244,13.4105,3426354,Europe/Berlin",
            "San Jose,US,CA,37.3394,-121.895,997368,America/Los_Angeles",
            "San Francisco,US,CA,37.7749,-122.4194,864816,America/Los_Angeles",
            "San José,CR,08,9.9339,-84.0849,335007,America/Costa_Rica",
            "Springfield,US,MO,37.2153,-93.2982,170188,America/Chicago",
            "Springfield,US,MA,42.1015,-72.5898,154341,America/New_York",
            "Campbell,US,CA,37.2872,-121.95,42888,America/Los_Angeles",
            "Suva,FJ,01,-18.1416,178.4415,77366,Pacific/Fiji",
        ]
        let codes = [
            "95008,Campbell,CA,37.2803,-121.9539,America/Los_Angeles",
            "95112,San Jose,CA,37.3476,-121.887,America/Los_Angeles",
            "95113,San Jose,CA,37.3329,-121.8916,America/Los_Angeles",
            "95030,Los Gatos,CA,37.2313,-121.9583,America/Los_Angeles",
            "95033,Los Gatos,CA,37.1513,-121.9843,America/Los_Angeles",
        ]
        @Sendable func cells(_ line: String) -> [String] {
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        try await site.write { db in
            for (rank, town) in towns.enumerated() { try Gazetteer.insert(cells(town), rank: rank + 1, in: db) }
            for code in codes { try Gazetteer.insert(cells(code), in: db) }
        }
    }
}

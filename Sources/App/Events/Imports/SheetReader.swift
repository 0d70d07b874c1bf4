/// Reads a table of events from a spreadsheet, with a header, and cells separated by commas, semicolons or tabs.
struct SheetReader {
    private enum Column: CaseIterable {
        case id, title, date, endDate, start, end, place, text, link, tags, state

        /// Its names in the languages that ship, folded.
        var names: Set<String> {
            switch self {
            case .id:
                [
                    "id", "uid", "event id", "no", "number", "nr", "nummer", "numero", "codigo", "kennung",
                    "المعرف", "معرف", "الرقم", "رقم",
                ]
            case .title:
                [
                    "title", "name", "event", "event name", "event title", "summary", "subject", "what", "titulo",
                    "nombre", "evento", "actividad", "asunto", "titel", "veranstaltung", "bezeichnung", "betreff",
                    "was",
                    "العنوان", "عنوان", "الاسم", "اسم", "الفعاليه", "فعاليه", "الحدث", "النشاط", "اسم الفعاليه",
                    "عنوان الفعاليه", "اسم النشاط", "الموضوع",
                ]
            case .date:
                [
                    "date", "day", "start date", "event date", "begin date", "first day", "from date", "fecha", "dia",
                    "fecha de inicio", "fecha inicio", "datum", "tag", "startdatum", "beginndatum", "anfangsdatum",
                    "beginnt am", "erster tag",
                    "التاريخ", "تاريخ", "اليوم", "تاريخ البدء", "تاريخ البدايه", "اليوم الاول",
                ]
            case .endDate:
                [
                    "end date", "last day", "until date", "to date", "fecha de fin", "fecha fin", "fecha final",
                    "ultimo dia", "enddatum", "endet am", "letzter tag",
                    "تاريخ الانتهاء", "تاريخ النهايه", "اليوم الاخير", "اخر يوم",
                ]
            case .start:
                [
                    "start", "start time", "starts", "starts at", "begin", "begins", "from", "time", "inicio", "hora",
                    "hora de inicio", "hora inicio", "desde", "empieza", "comienza", "beginn", "beginnt", "anfang",
                    "von", "uhrzeit", "zeit", "startzeit", "beginnt um",
                    "البدء", "البدايه", "بدايه", "يبدا", "وقت البدء", "وقت البدايه", "من", "الوقت", "الساعه",
                ]
            case .end:
                [
                    "end", "end time", "ends", "ends at", "until", "to", "fin", "hora de fin", "hora fin", "hasta",
                    "termina", "ende", "endet", "bis", "endzeit", "endet um",
                    "الانتهاء", "النهايه", "نهايه", "ينتهي", "وقت الانتهاء", "وقت النهايه", "الي", "حتي",
                ]
            case .place:
                [
                    "place", "location", "where", "venue", "address", "room", "lugar", "ubicacion", "donde", "sitio",
                    "direccion", "ort", "wo", "veranstaltungsort", "raum", "adresse",
                    "المكان", "مكان", "الموقع", "القاعه", "الغرفه", "اين",
                ]
            case .text:
                [
                    "description", "text", "details", "notes", "about", "descripcion", "detalles", "notas", "texto",
                    "beschreibung", "hinweise", "notizen", "infos",
                    "الوصف", "وصف", "التفاصيل", "تفاصيل", "ملاحظات", "النص", "نص", "نبذه",
                ]
            case .link:
                [
                    "link", "url", "web", "website", "web address", "web page", "enlace", "pagina web", "sitio web",
                    "webseite", "internet", "internetadresse",
                    "الرابط", "رابط", "الموقع الالكتروني", "صفحه الويب",
                ]
            case .tags:
                [
                    "tags", "tag words", "categories", "category", "keywords", "topics", "etiquetas", "categorias",
                    "categoria", "temas", "schlagworte", "schlagworter", "kategorie", "kategorien", "themen",
                    "الوسوم", "وسوم", "الفيات", "الفيه", "التصنيفات", "التصنيف", "المواضيع",
                ]
            case .state:
                [
                    "status", "state", "canceled", "cancelled", "estado", "cancelado", "abgesagt", "الحاله", "حاله",
                    "ملغاه", "ملغي",
                ]
            }
        }
    }

    private struct Unreadable: Error {
        let why: ImportProblem.Why
    }

    let zone: Zone
    let country: String
    let span: Range<Instant>

    func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalendar {
        // The header, too.
        let table = ForeignTable(ForeignText.decoded(ForeignText.plainBytes(bytes)), most: Self.mostRows + 1)
        guard let head = table.rows.first else { throw .notACalendar }
        var columns: [Column: Int] = [:]
        for (place, cell) in head.cells.enumerated().prefix(100) {
            let name = folded(String(cell.prefix(60)))
            for column in Column.allCases where columns[column] == nil && column.names.contains(name) {
                columns[column] = place
                break
            }
        }
        guard columns[.title] != nil, columns[.date] != nil || columns[.start] != nil else { throw .notACalendar }
        var calendar = ImportedCalendar(name: nil, entries: [], problems: [])
        if table.isCut { calendar.problems.append(.tooMany(limit: ImportedCalendar.mostEntries)) }
        for row in table.rows.dropFirst() where row.cells.contains(where: { !$0.isEmpty }) {
            func cell(_ column: Column) -> String? { columns[column].flatMap(row.text) }
            do throws(Unreadable) {
                let entry = try self.entry(cell)
                if entry.start < span.upperBound, entry.end > span.lowerBound || entry.start >= span.lowerBound {
                    calendar.entries.append(entry)
                }
            } catch {
                guard calendar.problems.count < ImportedCalendar.mostProblems else { continue }
                let title = cell(.title).flatMap { ForeignText.line($0, most: 120).nonEmpty }
                calendar.problems.append(.unreadable(line: row.line, entry: title, why: error.why))
            }
        }
        return calendar
    }

    // MARK: - One row

    private func entry(_ cell: (Column) -> String?) throws(Unreadable) -> ImportedEntry {
        guard let title = cell(.title).flatMap({ ForeignText.line($0, most: 120).nonEmpty }) else {
            throw Unreadable(why: .noTitle)
        }
        // A cell may contain both day and time.
        guard let first = cell(.date) ?? cell(.start) else { throw Unreadable(why: .noStart) }
        var start = try moment(first)
        if cell(.date) != nil, let typed = cell(.start) {
            if let time = TimeOfDay(typed: typed) {
                start.time = time
            } else {
                start = try moment(typed)
            }
        }
        var last: (day: Day, time: TimeOfDay?)?
        if let typed = cell(.endDate) { last = try moment(typed) }
        if let typed = cell(.end) {
            if let time = TimeOfDay(typed: typed, isEnd: true) {
                // Until midnight, or until some time of the night.
                let isNext = last == nil && start.time.map { time < $0 || TimeOfDay.isEndOfDay(typed) } ?? false
                let day = last?.day ?? start.day
                last = (isNext || (last != nil && TimeOfDay.isEndOfDay(typed)) ? day.advanced(by: 1) : day, time)
            } else {
                last = try moment(typed)
            }
        }
        let begin = zone.instant(start.day, start.time ?? .midnight)
        var end = begin
        if start.time == nil {
            end = zone.instant((last?.day ?? start.day).advanced(by: 1), .midnight)
        } else if let last {
            end = last.time.map { zone.instant(last.day, $0) } ?? zone.instant(last.day.advanced(by: 1), .midnight)
        }
        guard end >= begin, start.time != nil || end > begin else { throw Unreadable(why: .endsBeforeStart) }
        guard end - begin <= .days(CalendarLength.mostDays) else { throw Unreadable(why: .badTime) }
        let tags = (cell(.tags) ?? "").split { $0.isComma || $0.isSemicolon || $0 == "|" }.prefix(20)
        let state = folded(cell(.state) ?? "")
        return ImportedEntry(
            uid: cell(.id).flatMap { ForeignText.line($0, most: 500).nonEmpty }, occurrence: nil, title: title,
            text: ForeignText.paragraphs(cell(.text) ?? "", most: 4_000),
            place: cell(.place).flatMap { ForeignText.line($0, most: 300).nonEmpty },
            link: cell(.link).flatMap(ForeignText.link),
            tags: tags.compactMap { ForeignText.line(String($0), most: 60).nonEmpty }.uniqued(),
            start: begin, end: end, isAllDay: start.time == nil, zone: zone,
            isCanceled: Self.canceled.contains(state))
    }

    private static let canceled: Set<String> = [
        "canceled", "cancelled", "cancelado", "cancelada", "abgesagt", "entfallt", "fallt aus", "yes", "x", "si", "ja",
        "true", "ملغي", "ملغاه", "الغي", "الغيت", "نعم",
    ]

    /// A day, and the time if there is one.
    private func moment(_ typed: String) throws(Unreadable) -> (day: Day, time: TimeOfDay?) {
        guard typed.utf8.count <= 80 else { throw Unreadable(why: .badTime) }
        if let day = Day(typed: typed, in: country) { return (day, nil) }
        if let both = LocalTime(typed: typed, in: country) { return (both.day, both.time) }
        // In the format of programs, with seconds or a zone.
        if let time = CalendarTime(typed) {
            let (day, clock) = zone.local(time.instant(in: zone))
            return (day, clock)
        }
        throw Unreadable(why: .badTime)
    }

    /// The most rows after the header: some may be over or unreadable.
    private static let mostRows = 2 * ImportedCalendar.mostEntries
}

import Forms

/// The local names of towns that the gazetteer lists by their English names only.
enum TownNames {
    /// The other names of a town in the list, and how each is folded: `München` and `Muenchen` for Munich.
    static func others(of name: String, in country: String) -> [(name: String, key: String)] {
        let own = own["\(country) \(name)"] ?? []
        let spelled = spelled.contains(country) ? [name] + own : []
        return own.map { ($0, folded($0)) }
            + spelled.compactMap { name in
                Folding.spelledOut(name).map { (name, folded($0)) }
            }
    }

    /// The countries in which umlauts are spelled out.
    private static let spelled: Set<String> = ["AT", "CH", "DE", "DK", "FI", "LI", "NO", "SE"]

    private static let own: [String: [String]] = {
        let lines = """
            AE Dubai: دبي
            AE Abu Dhabi: أبوظبي, أبو ظبي
            AT Vienna: Wien
            BE Antwerp: Antwerpen, Anvers
            BE Brussels: Brussel, Bruxelles
            BE Gent: Gand, Ghent
            BE Liège: Luik
            BG Sofia: София
            BY Minsk: Минск
            CH Bern: Berne
            CH Geneva: Genève, Genf
            CN Beijing: 北京, 北京市
            CN Guangzhou: 广州, 广州市
            CN Shanghai: 上海, 上海市
            CN Shenzhen: 深圳, 深圳市
            CU Havana: La Habana
            CY Nicosia: Λευκωσία, Lefkoşa
            CZ Pilsen: Plzeň
            CZ Prague: Praha
            DE Hannover: Hanover
            DE Köln: Cologne
            DE Munich: München
            DE Nuremberg: Nürnberg
            DK Copenhagen: København
            DZ Algiers: Alger, الجزائر
            EG Alexandria: الإسكندرية
            EG Cairo: القاهرة
            EG Giza: الجيزة
            ES A Coruña: La Coruña
            ES Sevilla: Seville
            FI Helsinki: Helsingfors
            FI Turku: Åbo
            GE Tbilisi: თბილისი
            GR Athens: Αθήνα, Athina
            GR Thessaloníki: Θεσσαλονίκη
            GR Piraeus: Πειραιάς
            HK Hong Kong: 香港
            IL Haifa: חיפה
            IL Jerusalem: ירושלים
            IL Tel Aviv: תל אביב, תל אביב-יפו, Tel Aviv-Yafo
            IN Bengaluru: Bangalore
            IN Chennai: Madras
            IN Delhi: दिल्ली
            IN Kolkata: Calcutta
            IN Mumbai: Bombay, मुंबई
            IN New Delhi: नई दिल्ली
            IQ Baghdad: بغداد
            IR Tehran: تهران
            IT Florence: Firenze
            IT Genoa: Genova
            IT Milan: Milano
            IT Naples: Napoli
            IT Rome: Roma
            IT Turin: Torino
            IT Venice: Venezia
            JO Amman: عمان, عمّان
            JP Fukuoka: 福岡, 福岡市
            JP Hiroshima: 広島, 広島市
            JP Kobe: 神戸, 神戸市
            JP Kyoto: 京都, 京都市
            JP Nagoya: 名古屋, 名古屋市
            JP Osaka: 大阪, 大阪市
            JP Sapporo: 札幌, 札幌市
            JP Sendai: 仙台, 仙台市
            JP Tokyo: 東京, 東京都
            JP Yokohama: 横浜, 横浜市
            KR Busan: 부산, 부산광역시
            KR Daegu: 대구, 대구광역시
            KR Daejeon: 대전, 대전광역시
            KR Gwangju: 광주, 광주광역시
            KR Incheon: 인천, 인천광역시
            KR Seoul: 서울, 서울특별시
            KW Kuwait City: الكويت
            LB Beirut: بيروت, Beyrouth
            LU Luxembourg: Luxemburg, Lëtzebuerg
            LY Tripoli: طرابلس
            MA Casablanca: الدار البيضاء
            MA Marrakesh: مراكش, Marrakech
            MA Rabat: الرباط
            MA Tangier: طنجة, Tanger
            MX Mexico City: Ciudad de México
            NL The Hague: Den Haag
            PL Warsaw: Warszawa
            PT Lisbon: Lisboa
            QA Doha: الدوحة
            RO Bucharest: București
            RS Belgrade: Beograd, Београд
            RU Chelyabinsk: Челябинск
            RU Kazan: Казань
            RU Krasnoyarsk: Красноярск
            RU Moscow: Москва, Moskva
            RU Novosibirsk: Новосибирск
            RU Omsk: Омск
            RU Saint Petersburg: Санкт-Петербург
            RU Samara: Самара
            RU Vladivostok: Владивосток
            RU Yekaterinburg: Екатеринбург
            SA Jeddah: جدة
            SA Riyadh: الرياض
            SE Gothenburg: Göteborg
            SY Damascus: دمشق
            TH Bangkok: กรุงเทพ, กรุงเทพมหานคร
            TH Chiang Mai: เชียงใหม่
            TN Tunis: تونس
            TR Istanbul: İstanbul
            TW Kaohsiung: 高雄, 高雄市
            TW Taichung: 台中, 臺中市
            TW Taipei: 台北, 臺北, 台北市, 臺北市
            UA Dnipro: Дніпро
            UA Kharkiv: Харків
            UA Kyiv: Київ, Kiev
            UA Lviv: Львів
            UA Odesa: Одеса, Odessa
            VN Da Nang: Đà Nẵng
            VN Haiphong: Hải Phòng
            VN Hanoi: Hà Nội
            VN Ho Chi Minh City: Thành phố Hồ Chí Minh, TP Hồ Chí Minh
            """
        let pairs = lines.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(\.squeezed)
            return (parts[0], parts[1].split(separator: ",").map(\.squeezed))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()
}

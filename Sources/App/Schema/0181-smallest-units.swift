import Database

extension Schema {
    /// Amounts are in the smallest unit of their currency: so far all were in hundredths, those of currencies without
    /// parts and with thousandths, too. What changed about a price is kept as `900 USD open`.
    static let smallestUnits = Migration(
        name: "0181-smallest-units",
        text: """
            UPDATE event SET price = CASE WHEN price BETWEEN 1 AND 49 THEN 1 ELSE (price + 50) / 100 END
            WHERE currency IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE opportunity SET goal = (goal + 50) / 100, amount = (amount + 50) / 100 WHERE currency IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE contribution SET amount = CASE WHEN amount < 50 THEN 1 ELSE (amount + 50) / 100 END
            WHERE amount IS NOT NULL AND currency IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE event SET price = price * 10 WHERE currency IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            UPDATE opportunity SET goal = goal * 10, amount = amount * 10 WHERE currency IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            UPDATE contribution SET amount = amount * 10 WHERE currency IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            """,
        sqlite: """
            UPDATE change
            SET said_before =
                CAST((CAST(substr(said_before, 1, instr(said_before, ' ') - 1) AS INTEGER) + 50) / 100 AS TEXT)
                || substr(said_before, instr(said_before, ' '))
            WHERE what = 'price' AND substr(said_before, instr(said_before, ' ') + 1, 3) IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE change
            SET said_before =
                CAST(CAST(substr(said_before, 1, instr(said_before, ' ') - 1) AS INTEGER) * 10 AS TEXT)
                || substr(said_before, instr(said_before, ' '))
            WHERE what = 'price' AND substr(said_before, instr(said_before, ' ') + 1, 3) IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            UPDATE change
            SET says_now =
                CAST((CAST(substr(says_now, 1, instr(says_now, ' ') - 1) AS INTEGER) + 50) / 100 AS TEXT)
                || substr(says_now, instr(says_now, ' '))
            WHERE what = 'price' AND substr(says_now, instr(says_now, ' ') + 1, 3) IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE change
            SET says_now =
                CAST(CAST(substr(says_now, 1, instr(says_now, ' ') - 1) AS INTEGER) * 10 AS TEXT)
                || substr(says_now, instr(says_now, ' '))
            WHERE what = 'price' AND substr(says_now, instr(says_now, ' ') + 1, 3) IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            """,
        postgreSQL: """
            UPDATE change
            SET said_before =
                CAST((CAST(substr(said_before, 1, strpos(said_before, ' ') - 1) AS INTEGER) + 50) / 100 AS TEXT)
                || substr(said_before, strpos(said_before, ' '))
            WHERE what = 'price' AND substr(said_before, strpos(said_before, ' ') + 1, 3) IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE change
            SET said_before =
                CAST(CAST(substr(said_before, 1, strpos(said_before, ' ') - 1) AS INTEGER) * 10 AS TEXT)
                || substr(said_before, strpos(said_before, ' '))
            WHERE what = 'price' AND substr(said_before, strpos(said_before, ' ') + 1, 3) IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            UPDATE change
            SET says_now =
                CAST((CAST(substr(says_now, 1, strpos(says_now, ' ') - 1) AS INTEGER) + 50) / 100 AS TEXT)
                || substr(says_now, strpos(says_now, ' '))
            WHERE what = 'price' AND substr(says_now, strpos(says_now, ' ') + 1, 3) IN (
                'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF');
            UPDATE change
            SET says_now =
                CAST(CAST(substr(says_now, 1, strpos(says_now, ' ') - 1) AS INTEGER) * 10 AS TEXT)
                || substr(says_now, strpos(says_now, ' '))
            WHERE what = 'price' AND substr(says_now, strpos(says_now, ' ') + 1, 3) IN (
                'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND');
            """)
}

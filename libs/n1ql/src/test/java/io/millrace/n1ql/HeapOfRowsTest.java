package io.millrace.n1ql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.n1ql.QueryEngine.ActiveRequest;
import io.millrace.n1ql.runtime.Memory;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What statements are charged for the rows that they hold, compared with what these take of the heap. The heap is measured, so
 * the bounds leave room: objects are aligned, tables are half full, and small numbers are shared.
 */
class HeapOfRowsTest {

    private static final int DOCUMENTS = 20_000;

    /** By so much less a statement may hold more than its share. */
    private static final double LEAST = 0.9;

    /** By so much more it goes to files, or fails, too early. */
    private static final double MOST = 1.25;

    private record Bytes(long charged, long taken) {}

    /** The serial collector leaves small gaps in a full heap, up to 5 % of it, but closes them every fourth time. */
    private static final int COLLECTIONS = 4;

    /** Returns how much of the heap is in use by what is reachable. */
    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, usedAfterCollection());
        }
        return least;
    }

    /** What threads allocate after the collection does not count. */
    private static long usedAfterCollection() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    /** @param read how many rows are read before the measurement */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT r FROM [-1, -2] AS l LEFT JOIN (SELECT t.n, t.m FROM t) AS r ON l = r.m | 1",
                "SELECT r FROM [-1, -2] AS l LEFT JOIN (SELECT TO_STRING(t.m) AS m FROM t) AS r ON l = r.m | 1",
                "SELECT r FROM [-1, -2] AS l LEFT JOIN (SELECT t.n, t.m FROM t) AS r ON l = r.m AND l = r.n | 1",
                "SELECT r FROM [-1, -2] AS l LEFT JOIN (SELECT t.m, 1 AS one FROM t) AS r ON l = r.one | 1",
                "SELECT r FROM [-1, -2] AS l LEFT JOIN t AS r ON l = r.m | 1",
                "SELECT r FROM [1] AS l LEFT JOIN (SELECT t.n, t.m FROM t) AS r ON l > r.m | 1",
                "SELECT t.m, COUNT(*) AS c FROM t GROUP BY t.m | 1",
                "SELECT t.m, COUNT(*) AS c, SUM(t.n) AS s, MIN(t.n) AS a, AVG(t.n) AS b FROM t GROUP BY t.m | 1",
                "SELECT t.m, ARRAY_AGG(t.n) AS l FROM t GROUP BY t.m | 1",
                "SELECT t.text, COUNT(DISTINCT t.m) AS c FROM t GROUP BY t.text | 1",
                "SELECT t.m, COUNT(DISTINCT t.n) AS c FROM t GROUP BY t.m | 1",
                "SELECT t.m, MEDIAN(t.n) AS d FROM t GROUP BY t.m | 1",
                "SELECT t.m, STDDEV(t.n) AS d FROM t GROUP BY t.m | 1",
                "SELECT RAW ARRAY_AGG(t.text) FROM t GROUP BY t.text | 1",
                "SELECT DISTINCT t.m, t.n FROM t | 19000",
                "SELECT DISTINCT RAW t.m FROM t | 19000",
                "SELECT t.n, t.m FROM t ORDER BY t.m | 1",
                "SELECT t.text FROM t ORDER BY t.m | 1",
                "SELECT RAW t FROM t ORDER BY t.m | 1",
                "SELECT t.n, t.m FROM t ORDER BY t.m LIMIT 15000 | 1",
                "SELECT t.n, ROW_NUMBER() OVER (ORDER BY t.m) AS r FROM t | 1",
                "SELECT RAW t.n FROM t INTERSECT SELECT RAW t.m FROM t | 1",
                "SELECT RAW t.n FROM t UNION SELECT RAW t.m + 1000000 FROM t | 38000",
                "WITH c AS (SELECT t.n, t.m FROM t) SELECT RAW c.n FROM c | 1",
            })
    void charged_isWhatTheRowsTake(String statement, int read) {
        Bytes bytes = measured(statement, read);

        assertThat((double) bytes.charged() / bytes.taken())
                .as("%d bytes are charged, %d are taken", bytes.charged(), bytes.taken())
                .isBetween(LEAST, MOST);
    }

    private static Bytes measured(String statement, int read) {
        QueryEngine engine = SpillingEngine.over(new MillionRows(DOCUMENTS, 40), new Memory(1L << 30, 1L << 30, 0));
        engine.prepare(statement);
        long before = used();
        try (Rows rows = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (int i = 0; i < read; i++) {
                assertThat(rows.next()).isNotNull();
            }
            long taken = used() - before;
            List<ActiveRequest> running = List.copyOf(engine.active().values());
            long charged = running.getFirst().execution().held();
            return new Bytes(charged, taken);
        }
    }
}

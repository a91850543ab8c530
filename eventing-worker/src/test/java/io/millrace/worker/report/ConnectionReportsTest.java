package io.millrace.worker.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionReportsTest {

    private final List<String> lines = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final ConnectionReports reports = new ConnectionReports("127.0.0.1:1", nanos::get, lines::add);

    @Test
    void connectionThatIsLost_isReportedOnceUntilThereIsOneAgain() {
        reports.connected();
        reports.lost();
        reports.lost();
        nanos.set(1_500_000_000L);
        reports.connected();
        reports.connected();

        assertThat(lines)
                .containsExactly(
                        "event=redis_lost address=127.0.0.1:1 action=reconnect",
                        "event=redis_back address=127.0.0.1:1 away_ms=1500");
    }

    @Test
    void connectionThatIsClosed_isNotLost() {
        reports.connected();
        reports.close();
        reports.lost();

        assertThat(lines).isEmpty();
    }
}

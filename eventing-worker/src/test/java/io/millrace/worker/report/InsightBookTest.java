package io.millrace.worker.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.LineInsight;
import io.millrace.workerprotocol.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class InsightBookTest {

    @Test
    void line_keepsTheNewestTraceOfWhichSomethingHappenedThere() {
        InsightBook book = new InsightBook(true);
        Outcome failed = new Outcome(Outcome.Result.THREW, 10, "TypeError: no", 3, 5);

        book.called(1, 3, 1, 20, "first", "a");
        book.ended(1, failed, "b");
        book.called(1, 3, 1, 20, "", "");

        assertThat(book.take())
                .containsExactly(
                        new Frame.Insight(1, List.of(new LineInsight(3, 2, 40, 1, "TypeError: no", "first", "b"))));
    }

    @Test
    void lineOfTwoVersions_isReportedForEach() {
        InsightBook book = new InsightBook(true);

        book.called(1, 3, 1, 20, "old", "");
        book.called(2, 3, 1, 30, "new", "");

        assertThat(book.take())
                .containsExactlyInAnyOrder(
                        new Frame.Insight(1, List.of(new LineInsight(3, 1, 20, 0, "", "old", ""))),
                        new Frame.Insight(2, List.of(new LineInsight(3, 1, 30, 0, "", "new", ""))));
        assertThat(book.take()).isEmpty();
    }
}

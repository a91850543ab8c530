package io.millrace.worker.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workerprotocol.LineInsight;
import io.millrace.workerprotocol.Outcome;
import org.junit.jupiter.api.Test;

class InsightBookTest {

    @Test
    void line_keepsTheNewestTraceOfWhichSomethingHappenedThere() {
        InsightBook book = new InsightBook(true);
        Outcome failed = new Outcome(Outcome.Result.THREW, 10, "TypeError: no", 3, 5);

        book.called(3, 1, 20, "first", "a");
        book.ended(failed, "b");
        book.called(3, 1, 20, "", "");

        assertThat(book.take()).containsExactly(new LineInsight(3, 2, 40, 1, "TypeError: no", "first", "b"));
    }
}

package io.millrace.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.faults.Fault.Meanwhile;
import io.millrace.benchmarks.faults.FaultLoad.Request;
import io.millrace.benchmarks.faults.HealthWatch.Sample;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static final long BEGAN = seconds(100);
    private static final long UNTIL = seconds(109.5);
    private static final long ENDED = seconds(110);
    private static final List<Sample> TRUE_HEALTH =
            List.of(sample(99, true), sample(101, true), sample(105, false), sample(113, true));

    private static long seconds(double seconds) {
        return (long) (seconds * 1e9);
    }

    private static Sample sample(double began, boolean well) {
        return new Sample(seconds(began), seconds(began + 0.1), well);
    }

    private static Request request(boolean read, double took, int status) {
        return new Request(read, BEGAN, BEGAN + seconds(took), status);
    }

    private static List<String> breaches(Meanwhile meanwhile, List<Request> requests, List<Sample> health) {
        List<Health> all = List.of(new Health("health", meanwhile.unhealthy, health));
        return new Outcome("fault", meanwhile, BEGAN, UNTIL, ENDED, requests, all, 0, 0, Duration.ZERO).breaches();
    }

    @Test
    void faultWithinAllBounds_breaksNone() {
        List<Request> requests = List.of(request(true, 0.1, 200), request(false, 4.9, 503));

        assertThat(breaches(Meanwhile.READS_ONLY, requests, TRUE_HEALTH)).isEmpty();
    }

    @Test
    void lostAndUnhandledWrites_areBreaches() {
        Outcome outcome = new Outcome(
                "fault",
                Meanwhile.NO_ANSWERS,
                BEGAN,
                UNTIL,
                ENDED,
                List.of(),
                List.of(new Health("health", false, List.of())),
                1,
                2,
                Duration.ZERO);

        assertThat(outcome.breaches())
                .containsExactly("1 acknowledged writes lost", "2 acknowledged writes not handled");
        assertThat(outcome.row()).startsWith("| fault | 10.0 s |").endsWith("not handled |");
    }

    @Test
    void longRequest_isABreachWhereSomethingCanAnswer() {
        List<Request> requests = List.of(request(false, 5.1, 504));

        assertThat(breaches(Meanwhile.NO_DOCUMENTS, requests, TRUE_HEALTH))
                .containsExactly("a request took longer than 5 s");
        assertThat(breaches(Meanwhile.NO_ANSWERS, requests, TRUE_HEALTH)).isEmpty();
    }

    @Test
    void refusedRead_isABreachWhereReadsArePossible() {
        List<Request> requests = List.of(request(true, 0.1, 503));

        assertThat(breaches(Meanwhile.READS_ONLY, requests, TRUE_HEALTH)).containsExactly("reads refused");
        assertThat(breaches(Meanwhile.NO_DOCUMENTS, requests, TRUE_HEALTH)).isEmpty();
    }

    @Test
    void healthThatIsWrongForLong_isABreach() {
        assertThat(breaches(Meanwhile.NO_DOCUMENTS, List.of(), List.of(sample(102.2, true))))
                .containsExactly("health wrong for longer than 2 s after the fault");
        assertThat(breaches(Meanwhile.NO_DOCUMENTS, List.of(), List.of(sample(112.1, false))))
                .containsExactly("health wrong for longer than 2 s after its end");
        assertThat(breaches(Meanwhile.NOTHING, List.of(), List.of(sample(103, false))))
                .containsExactly("health wrong for longer than 2 s after the fault");
    }

    @Test
    void answerAroundTheEndOfAFault_maySayEither() {
        List<Sample> around = List.of(sample(109.45, true), sample(109.95, false), sample(111.9, false));

        assertThat(breaches(Meanwhile.NO_DOCUMENTS, List.of(), around)).isEmpty();
    }

    @Test
    void readinessThatIsWrongForLong_isABreachOfItsService() {
        List<Health> health = List.of(
                new Health("health", true, TRUE_HEALTH),
                new Health("readiness of a", true, List.of(sample(103, true))),
                new Health("readiness of b", false, List.of(sample(112.5, false))));
        Outcome outcome = new Outcome(
                "fault", Meanwhile.NO_DOCUMENTS, BEGAN, UNTIL, ENDED, List.of(), health, 0, 0, Duration.ZERO);

        assertThat(outcome.breaches())
                .containsExactly(
                        "readiness of a wrong for longer than 2 s after the fault",
                        "readiness of b wrong for longer than 2 s after its end");
        assertThat(outcome.row()).contains("| 1.1 s | 0.0 s | 3.1 s | 2.5 s |");
    }
}

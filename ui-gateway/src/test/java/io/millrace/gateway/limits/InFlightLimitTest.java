package io.millrace.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.gateway.limits.InFlightLimit.Admission;
import io.millrace.gateway.limits.InFlightLimit.Outcome;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {

    private final AtomicLong nanos = new AtomicLong();
    private final InFlightLimit limit = new InFlightLimit(4, 40, nanos::get);

    @Test
    void oneClient_getsHalf_andTheOthersTheRest() {
        assertThat(limit.limit()).isEqualTo(20);

        assertThat(admitted("a", 30)).isEqualTo(10);

        assertThat(limit.enter("a")).isEqualTo(Admission.CLIENT_FULL);
        assertThat(admitted("b", 30)).isEqualTo(10);
        assertThat(limit.enter("b")).isNotEqualTo(Admission.ADMITTED);
    }

    @Test
    void clientWithNothingInFlight_isAdmittedWhileOthersUseEverything_asLongAsTheReserveLasts() {
        admitted("a", 10);
        admitted("b", 10);

        assertThat(limit.enter("c")).isEqualTo(Admission.ADMITTED);
        assertThat(limit.enter("c")).isEqualTo(Admission.SERVICE_FULL);
        limit.leave("c");
        assertThat(limit.enter("c")).isEqualTo(Admission.ADMITTED);

        for (int i = 1; i < InFlightLimit.RESERVE; i++) {
            assertThat(limit.enter("client " + i)).isEqualTo(Admission.ADMITTED);
        }
        assertThat(limit.enter("one more")).isEqualTo(Admission.SERVICE_FULL);
    }

    @Test
    void room_isBackWhenARequestEnds() {
        admitted("a", 10);

        limit.leave("a");

        assertThat(limit.enter("a")).isEqualTo(Admission.ADMITTED);
        assertThat(limit.enter("a")).isEqualTo(Admission.CLIENT_FULL);
    }

    @Test
    void limit_risesWhileItIsUsed_upToItsMaximum() {
        limit.enter("a");
        limit.observe(Outcome.SUCCESS);
        assertThat(limit.limit()).isEqualTo(20);

        for (int i = 0; i < 100; i++) {
            admitted("a", 1);
            limit.observe(Outcome.SUCCESS);
        }

        assertThat(limit.limit()).isEqualTo(40);
    }

    @Test
    void limit_fallsByATenthOnceInItsPause_downToItsMinimum() {
        for (int i = 0; i < 10; i++) {
            limit.observe(Outcome.OVERLOADED);
        }
        assertThat(limit.limit()).isEqualTo(18);

        nanos.addAndGet(InFlightLimit.PAUSE.toNanos());
        limit.observe(Outcome.OVERLOADED);
        assertThat(limit.limit()).isEqualTo(16);

        for (int i = 0; i < 100; i++) {
            nanos.addAndGet(InFlightLimit.PAUSE.toNanos());
            limit.observe(Outcome.OVERLOADED);
        }
        assertThat(limit.limit()).isEqualTo(4);
        assertThat(limit.share()).isEqualTo(2);
    }

    @Test
    void limit_staysWhenTheOutcomeSaysNothing() {
        admitted("a", 10);

        limit.observe(Outcome.UNKNOWN);

        assertThat(limit.limit()).isEqualTo(20);
    }

    private int admitted(String client, int tries) {
        int count = 0;
        for (int i = 0; i < tries; i++) {
            count += limit.enter(client) == Admission.ADMITTED ? 1 : 0;
        }
        return count;
    }
}

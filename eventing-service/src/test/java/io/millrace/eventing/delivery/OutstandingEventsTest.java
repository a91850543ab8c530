package io.millrace.eventing.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutstandingEventsTest {

    private final OutstandingEvents events = new OutstandingEvents(5);

    @Test
    void reached_nothingDispatched_isWhatWasRead() {
        assertThat(events.reached(4)).isEqualTo(5);
        assertThat(events.reached(9)).isEqualTo(9);
    }

    @Test
    void reached_newerAcknowledgedFirst_staysBehindTheOldest() {
        events.add(8, 100);
        events.add(10, 100);
        events.add(12, 100);

        events.acknowledge(10);

        assertThat(events.reached(20)).isEqualTo(5);
    }

    @Test
    void reached_oldestAcknowledged_goesOverThoseThatWereEarly() {
        events.add(8, 100);
        events.add(10, 100);
        events.add(12, 100);
        events.acknowledge(10);

        events.acknowledge(8);

        assertThat(events.reached(20)).isEqualTo(10);
    }

    @Test
    void reached_allAcknowledged_isWhatWasRead() {
        events.add(8, 100);
        events.add(10, 100);
        events.acknowledge(10);
        events.acknowledge(8);

        assertThat(events.reached(20)).isEqualTo(20);
    }

    @Test
    void oldest_isThatOfTheFirstThatIsNotAcknowledged() {
        events.add(8, 100);
        events.add(10, 90);
        events.add(12, 110);
        assertThat(events.oldest()).isEqualTo(100);

        events.acknowledge(12);
        events.acknowledge(8);
        assertThat(events.oldest()).isEqualTo(90);

        events.acknowledge(10);
        assertThat(events.oldest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void oldest_ofAChangeWithoutATime_isNone() {
        events.add(8, 0);

        assertThat(events.oldest()).isEqualTo(Long.MAX_VALUE);
    }
}

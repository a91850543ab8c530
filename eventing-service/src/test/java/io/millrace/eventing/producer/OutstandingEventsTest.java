package io.millrace.eventing.producer;

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
        events.add(8);
        events.add(10);
        events.add(12);

        events.acknowledge(10);

        assertThat(events.reached(20)).isEqualTo(5);
    }

    @Test
    void reached_oldestAcknowledged_goesOverThoseThatWereEarly() {
        events.add(8);
        events.add(10);
        events.add(12);
        events.acknowledge(10);

        events.acknowledge(8);

        assertThat(events.reached(20)).isEqualTo(10);
    }

    @Test
    void reached_allAcknowledged_isWhatWasRead() {
        events.add(8);
        events.add(10);
        events.acknowledge(10);
        events.acknowledge(8);

        assertThat(events.reached(20)).isEqualTo(20);
    }
}

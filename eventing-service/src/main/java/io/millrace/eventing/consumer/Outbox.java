package io.millrace.eventing.consumer;

import io.millrace.eventing.metrics.DeliveryMetrics;
import io.millrace.eventing.metrics.Histogram;
import io.millrace.workerprotocol.Event;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one worker: a {@link Lane} per thread, and the search for an event that kills workers. Not thread-safe.
 *
 * <pre>
 *            a death with events in flight          another one before those were acknowledged
 *  NORMAL ------------------------------> SUSPICIOUS -----------------------------------> ISOLATING
 *    ^                                        | all suspects acknowledged                    |  one event in flight
 *    +----------------------------------------+----------------------------------------------+  at a time
 * </pre>
 *
 * <p>While ISOLATING, a death counts against the one event in flight; an event with enough deaths is given up.
 */
final class Outbox {

    /** The number of consecutive deaths after which events are sent one by one. */
    private static final int DEATHS_BEFORE_ISOLATION = 2;

    private final List<Lane> lanes = new ArrayList<>();
    private final int deathsPerEvent;
    private int deaths;
    private @Nullable Event suspect;
    private int suspectDeaths;

    public Outbox(int threads, DeliverySettings settings, Histogram queueMicros) {
        for (int thread = 0; thread < threads; thread++) {
            lanes.add(new Lane(thread, settings, queueMicros));
        }
        this.deathsPerEvent = Math.max(1, settings.poisonDeaths() - DEATHS_BEFORE_ISOLATION);
    }

    int threads() {
        return lanes.size();
    }

    boolean full(int thread) {
        return lanes.get(thread).full();
    }

    void add(int thread, List<Event> events, long readNanos) {
        lanes.get(thread).add(events, readNanos);
    }

    /** Returns whether a thread has a later change of an event's document to do. */
    boolean hasLater(int thread, Event event) {
        return lanes.get(thread).hasLater(event);
    }

    /** Drops waiting events, and with them any suspicion. */
    void dropWaiting() {
        lanes.forEach(Lane::dropWaiting);
        resetWhenClear();
    }

    /** Takes the next batch for a thread, or null when there is none to send now. */
    Frame.@Nullable Batch take(int thread, long now) {
        if (!isolating()) {
            return lanes.get(thread).take(now);
        }
        Lane lane = lanes.get(thread);
        return inFlightEvents() > 0 || lane.suspects() == 0 ? null : lane.takeOne(now);
    }

    /** Ends a batch and returns its events, or nothing when the frame answers no batch that is due. */
    public List<Event> done(Frame.Done done, long now) {
        if (done.thread() >= lanes.size()) {
            return List.of();
        }
        List<Event> events = lanes.get(done.thread()).done(done, now);
        if (suspect != null && events.contains(suspect)) {
            suspect = null;
            suspectDeaths = 0;
        }
        resetWhenClear();
        return events;
    }

    /**
     * The events that are not sent again after a death.
     *
     * @param superseded changes whose document has a later change that was in flight as well
     * @param givenUp the event that was alone in flight at too many deaths, or null
     */
    record NotResent(List<Event> superseded, @Nullable Event givenUp) {

        /** @param version the number of the version that ran */
        void acknowledge(Acknowledgements acknowledgements, DeliveryMetrics metrics, int deaths, long version) {
            superseded.forEach(event -> acknowledgements.acknowledged(event, Outcome.skipped()));
            if (givenUp != null) {
                metrics.givenUp(givenUp, deaths);
                acknowledgements.acknowledged(givenUp, DeliveryMetrics.WORKER_KILLER.of(version));
            }
        }
    }

    /**
     * Puts events in flight back before the waiting ones.
     *
     * @param counts whether one of them may have been the reason
     */
    NotResent workerDied(long now, boolean counts) {
        if (inFlightEvents() == 0) {
            return new NotResent(List.of(), null);
        }
        Lane guilty = counts && isolating() ? laneOfOnlyEvent() : null;
        List<Event> superseded = new ArrayList<>();
        for (Lane lane : lanes) {
            superseded.addAll(lane.workerDied(now));
        }
        if (counts) {
            deaths++;
        }
        return new NotResent(superseded, guilty == null ? null : countDeath(guilty));
    }

    /** Counts a death against the first event of a lane; removes and returns the event after enough deaths. */
    private @Nullable Event countDeath(Lane guilty) {
        Event event = guilty.first();
        suspectDeaths = event == suspect ? suspectDeaths + 1 : 1;
        suspect = event;
        if (suspectDeaths < deathsPerEvent) {
            return null;
        }
        guilty.giveUpFirst();
        suspect = null;
        suspectDeaths = 0;
        resetWhenClear();
        return event;
    }

    private @Nullable Lane laneOfOnlyEvent() {
        if (inFlightEvents() != 1) {
            return null;
        }
        for (Lane lane : lanes) {
            if (lane.inFlightEvents() == 1) {
                return lane;
            }
        }
        return null;
    }

    private void resetWhenClear() {
        if (!suspicious()) {
            deaths = 0;
        }
    }

    /** Returns whether events are unacknowledged that were in flight when a worker died. */
    boolean suspicious() {
        return lanes.stream().anyMatch(lane -> lane.suspects() > 0);
    }

    boolean isolating() {
        return deaths >= DEATHS_BEFORE_ISOLATION;
    }

    /** Returns whether the worker has had a batch for longer than its events may take. */
    boolean overdue(long now, long nanosPerEvent, long grace) {
        for (Lane lane : lanes) {
            if (lane.overdue(now, nanosPerEvent, grace)) {
                return true;
            }
        }
        return false;
    }

    int inFlightEvents() {
        int sum = 0;
        for (Lane lane : lanes) {
            sum += lane.inFlightEvents();
        }
        return sum;
    }

    long unacknowledged() {
        long sum = 0;
        for (Lane lane : lanes) {
            sum += lane.unacknowledged();
        }
        return sum;
    }

    long waitingBytes() {
        long sum = 0;
        for (Lane lane : lanes) {
            sum += lane.waitingBytes();
        }
        return sum;
    }
}

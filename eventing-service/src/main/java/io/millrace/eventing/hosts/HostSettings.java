package io.millrace.eventing.hosts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The worker processes of a node.
 *
 * @param home a worker distribution; read when a process is started
 * @param redisUri the Redis that holds the documents, to which processes connect before a worker needs it
 * @param heapMib the largest heap of a process in MiB
 * @param optimizing whether JavaScript is compiled where the JDK can
 * @param niceness how far processes give way to the services of the node when the processors are busy, see {@link Precedence}
 * @param count over how many processes the functions of a domain are spread
 * @param spares how many more are kept ready while functions run
 * @param apart whether every worker has a process of its own, unless its function says otherwise
 * @param mixing whether workers of different domains share processes
 * @param renewal when a process is replaced
 * @param environment variables that processes get
 */
public record HostSettings(
        Path home,
        String redisUri,
        int heapMib,
        boolean optimizing,
        int niceness,
        int count,
        int spares,
        boolean apart,
        boolean mixing,
        Renewal renewal,
        Map<String, String> environment) {

    /**
     * When a process is replaced although it works, next to the change of its distribution.
     *
     * @param age so long after its start; zero for never
     * @param heldPercent when it holds more than this part of the heap, in percent; 0 for never
     */
    public record Renewal(Duration age, int heldPercent) {

        /** Only a change of the distribution renews processes. */
        public static final Renewal NEVER = new Renewal(Duration.ZERO, 0);

        public Renewal {
            if (age.isNegative() || heldPercent < 0 || heldPercent > 100) {
                throw new IllegalArgumentException(
                        "A worker process is renewed after a time of 0 or more and at 0 to 100 percent of its heap, not after "
                                + age + " and at " + heldPercent);
            }
        }
    }

    /** One process for two processors. */
    public static int countFor(int processors) {
        return Math.max(1, processors / 2);
    }

    public HostSettings {
        environment = Map.copyOf(environment);
        if (niceness < 0 || niceness > Precedence.MOST) {
            throw new IllegalArgumentException(
                    "The niceness of worker processes is 0 to %d, not %d".formatted(Precedence.MOST, niceness));
        }
        if (count < 1 || spares < 0) {
            throw new IllegalArgumentException(
                    "A node needs at least one worker process and no negative number of spares, not " + count + " and "
                            + spares);
        }
    }
}

package io.millrace.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.Delay;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The settings that all clients of Redis share. */
public final class ClientTuning {

    /** Commands written without a flush between them, which gives 3 to 4 times the throughput of a flush for each. */
    private static final int COMMANDS_PER_FLUSH = 256;

    private static final Duration FIRST_RECONNECT_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_RECONNECT_PAUSE = Duration.ofMillis(500);

    /** The shortest pause between two readings of the nodes and slots of a cluster. */
    private static final Duration SHORTEST_REFRESH_PAUSE = Duration.ofSeconds(1);

    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(15);

    private ClientTuning() {}

    /** Makes a new connection send the commands of concurrent threads in common packets. */
    public static void consolidateFlushes(Channel channel) {
        channel.pipeline().addFirst(new FlushConsolidationHandler(COMMANDS_PER_FLUSH, true));
    }

    /** Returns the pauses between attempts to connect again. */
    public static Delay reconnectDelay() {
        return Delay.exponential(FIRST_RECONNECT_PAUSE, LONGEST_RECONNECT_PAUSE, 2, TimeUnit.MILLISECONDS);
    }

    /**
     * Makes connections keep the commands that wait for an answer in an array. In the linked queue that is the default, an
     * answered command still points to the next one: as soon as one of them is in the old generation of the heap, all that
     * follow it are promoted with their arguments, until the whole heap is collected.
     */
    public static void queueInArray(ClientOptions.Builder options) {
        options.useHashIndexQueue(false);
    }

    /** Returns options that follow a cluster whose nodes come, go and hand over slots. */
    public static ClusterTopologyRefreshOptions.Builder clusterRefresh() {
        return ClusterTopologyRefreshOptions.builder()
                .enableAllAdaptiveRefreshTriggers()
                .adaptiveRefreshTriggersTimeout(SHORTEST_REFRESH_PAUSE)
                .enablePeriodicRefresh(REFRESH_PERIOD);
    }
}

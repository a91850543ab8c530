package io.millrace.documents;

import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.Delay;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How every client of Redis is set up, whoever makes it. */
public final class ClientTuning {

    /** Commands written without a flush between them: 3 to 4 times the throughput of a flush each. */
    private static final int COMMANDS_PER_FLUSH = 256;

    private static final Duration FIRST_RECONNECT_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_RECONNECT_PAUSE = Duration.ofMillis(500);

    /** Between two readings of a cluster's nodes and slots: at least, and when nothing seems to have changed. */
    private static final Duration SHORTEST_REFRESH_PAUSE = Duration.ofSeconds(1);

    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(15);

    private ClientTuning() {}

    /** Lets the commands that threads send at the same time travel in common packets over a new connection. */
    public static void consolidateFlushes(Channel channel) {
        channel.pipeline().addFirst(new FlushConsolidationHandler(COMMANDS_PER_FLUSH, true));
    }

    /** Returns the pauses between attempts to connect again. */
    public static Delay reconnectDelay() {
        return Delay.exponential(FIRST_RECONNECT_PAUSE, LONGEST_RECONNECT_PAUSE, 2, TimeUnit.MILLISECONDS);
    }

    /** Returns options that follow a cluster whose nodes come, go and hand over slots. */
    public static ClusterTopologyRefreshOptions.Builder clusterRefresh() {
        return ClusterTopologyRefreshOptions.builder()
                .enableAllAdaptiveRefreshTriggers()
                .adaptiveRefreshTriggersTimeout(SHORTEST_REFRESH_PAUSE)
                .enablePeriodicRefresh(REFRESH_PERIOD);
    }
}

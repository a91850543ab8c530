package io.millrace.httpdoor;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open connections of a server, in all and by address. One address may have half of them. Thread-safe. */
public final class ConnectionCount {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCount.class);
    private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int max;
    private final Map<InetAddress, Integer> byAddress = new HashMap<>();
    private int open;
    private int refused;
    private @Nullable Long loggedAt;

    /** @param max the most open connections, at least 2 */
    public ConnectionCount(int max) {
        this.max = max;
    }

    /** Counts a connection until it is closed; returns false, and says so in the log, if there are too many. */
    public boolean add(Channel channel) {
        InetAddress address = channel.remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
        if (!enter(address)) {
            return false;
        }
        channel.closeFuture().addListener(closed -> leave(address));
        return true;
    }

    synchronized boolean enter(InetAddress address) {
        int own = byAddress.getOrDefault(address, 0);
        if (open >= max || own >= max / 2) {
            refused++;
            report(address);
            return false;
        }
        byAddress.put(address, own + 1);
        open++;
        return true;
    }

    synchronized void leave(InetAddress address) {
        open--;
        byAddress.computeIfPresent(address, (name, own) -> own == 1 ? null : own - 1);
    }

    private void report(InetAddress address) {
        long now = System.nanoTime();
        if (loggedAt == null || now - loggedAt >= LOG_PAUSE_NANOS) {
            loggedAt = now;
            LOG.warn(
                    "event=connections_refused count={} open={} max={} latest_address={}",
                    refused,
                    open,
                    max,
                    address.getHostAddress());
            refused = 0;
        }
    }
}

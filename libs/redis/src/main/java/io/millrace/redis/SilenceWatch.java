package io.millrace.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Makes calls fail soon while Redis is away, without a shorter time-out for a Redis that is only slow: any answer shows that
 * it works. A connection on which Redis owes answers and sends nothing for {@link RedisLimits#MAX_SILENCE} is silent; what it
 * owes fails, and so does at once what is called afterwards, until Redis sends something. One command a second is sent
 * nevertheless, so that the network finds out when the other side is gone.
 *
 * <p>While there is no connection on which Redis has sent anything, calls get shorter time-outs, and already when one was lost
 * a moment ago: what is called on it is owed no answer until it is open again, and the others may be seen closed some time
 * later. Commands that wait on purpose keep theirs.
 *
 * <p>Silence is the time between looks, but a look adds little more than its share: after a pause of this process the answers
 * may be waiting to be read.
 */
public final class SilenceWatch extends TimeoutSource {

    private static final Duration LOOK = Duration.ofMillis(250);

    /** A busy machine looks late, each time a little. */
    private static final long MOST_PER_LOOK_NANOS = LOOK.multipliedBy(2).toNanos();

    private static final Duration PROBE = Duration.ofSeconds(1);

    private final long timeoutMillis;
    private final LongSupplier nanoTime;

    /** The open connections on which Redis has sent something. */
    private final AtomicInteger open = new AtomicInteger();

    private volatile long lostAt;

    /** When a connection was closed, or could not be opened, the last time; before the first time long ago. */
    private volatile long troubleAt;

    /** @param timeout how long an answer may take while Redis answers others */
    public SilenceWatch(Duration timeout) {
        this(timeout, System::nanoTime);
    }

    SilenceWatch(Duration timeout, LongSupplier nanoTime) {
        timeoutMillis = timeout.toMillis();
        this.nanoTime = nanoTime;
        lostAt = nanoTime.getAsLong();
        troubleAt = lostAt - RedisLimits.MAX_SILENCE.toNanos() - 1;
    }

    /** Watches a new connection. */
    public void guard(Channel channel) {
        Connection connection = new Connection();
        channel.pipeline().addFirst(connection.new Bytes()).addLast(connection.new Commands());
    }

    /** Returns the time-out in milliseconds of a command that is sent now. */
    @Override
    public long getTimeout(RedisCommand<?, ?, ?> command) {
        boolean connected = open.get() > 0;
        boolean longAgo = nanoTime.getAsLong() - (connected ? troubleAt : lostAt) > RedisLimits.MAX_SILENCE.toNanos();
        if (connected && (longAgo || mayWait(command))) {
            return timeoutMillis;
        }
        Duration most = longAgo ? RedisLimits.WAIT_WHILE_AWAY : RedisLimits.MAX_SILENCE;
        return Math.min(timeoutMillis, most.toMillis());
    }

    /** The answers that are owed on one connection; used by its event loop only. */
    private final class Connection {

        private final Deque<RedisCommand<?, ?, ?>> owed = new ArrayDeque<>();
        private boolean answered;

        /** Whether this one is among the open ones: a proxy in front of a Redis that is away opens many. */
        private boolean counted;

        private long quietNanos;
        private long lookedAt;
        private boolean looking;
        private boolean silent;
        private long probedAt;

        void sent(ChannelHandlerContext context, RedisCommand<?, ?, ?> command) {
            forgetDone();
            owed.addLast(command);
            if (!looking) {
                looking = true;
                answered = false;
                quietNanos = 0;
                lookLater(context);
            }
        }

        void forgetDone() {
            for (RedisCommand<?, ?, ?> first = owed.peekFirst();
                    first != null && first.isDone();
                    first = owed.peekFirst()) {
                owed.removeFirst();
            }
        }

        private void lookLater(ChannelHandlerContext context) {
            lookedAt = context.executor().ticker().nanoTime();
            context.executor().schedule(() -> look(context), LOOK.toNanos(), TimeUnit.NANOSECONDS);
        }

        private void look(ChannelHandlerContext context) {
            forgetDone();
            RedisCommand<?, ?, ?> first = owed.peekFirst();
            if (first == null || !context.channel().isActive()) {
                looking = false;
                return;
            }
            quietNanos += Math.min(context.executor().ticker().nanoTime() - lookedAt, MOST_PER_LOOK_NANOS);
            if (answered || mayWait(first)) {
                answered = false;
                quietNanos = 0;
            } else if (silent || quietNanos >= RedisLimits.MAX_SILENCE.toNanos()) {
                silent = true;
                probedAt = nanoTime.getAsLong();
                failAll();
            }
            lookLater(context);
        }

        void heard() {
            answered = true;
            silent = false;
            if (!counted) {
                counted = true;
                open.incrementAndGet();
            }
        }

        void closed() {
            if (counted) {
                counted = false;
                if (open.decrementAndGet() == 0) {
                    lostAt = nanoTime.getAsLong();
                }
            }
        }

        /** Returns whether a command is sent: while Redis is silent, one a second. */
        boolean mayBeSent() {
            if (!silent) {
                return true;
            }
            long now = nanoTime.getAsLong();
            if (now - probedAt < PROBE.toNanos()) {
                return false;
            }
            probedAt = now;
            return true;
        }

        void failAll() {
            owed.forEach(this::fail);
            owed.clear();
        }

        void fail(RedisCommand<?, ?, ?> command) {
            command.completeExceptionally(new RedisCommandTimeoutException(
                    "no answer to any command for " + RedisLimits.MAX_SILENCE.toSeconds() + " s"));
        }

        /** Sees what Redis sends. */
        private final class Bytes extends ChannelInboundHandlerAdapter {

            @Override
            public void channelInactive(ChannelHandlerContext context) {
                closed();
                // they are sent again as soon as there is a connection
                context.executor()
                        .schedule(Connection.this::failAll, RedisLimits.MAX_SILENCE.toNanos(), TimeUnit.NANOSECONDS);
                context.fireChannelInactive();
            }

            @Override
            public void channelUnregistered(ChannelHandlerContext context) {
                // an attempt to connect that failed was never active
                troubleAt = nanoTime.getAsLong();
                context.fireChannelUnregistered();
            }

            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                heard();
                context.fireChannelRead(bytes);
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext context) {
                context.fireChannelReadComplete();
                forgetDone();
            }
        }

        /** Sees commands before they are encoded. */
        private final class Commands extends ChannelDuplexHandler {

            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                List<RedisCommand<?, ?, ?>> commands = commands(message);
                if (!commands.isEmpty() && !mayBeSent()) {
                    commands.forEach(Connection.this::fail);
                    promise.trySuccess();
                    return;
                }
                commands.forEach(command -> sent(context, command));
                context.write(message, promise);
            }
        }
    }

    private static List<RedisCommand<?, ?, ?>> commands(Object message) {
        if (message instanceof RedisCommand<?, ?, ?> command) {
            return List.of(command);
        }
        return message instanceof Collection<?> several
                ? several.stream()
                        .filter(RedisCommand.class::isInstance)
                        .<RedisCommand<?, ?, ?>>map(command -> (RedisCommand<?, ?, ?>) command)
                        .toList()
                : List.of();
    }

    /** Commands whose answer is late on purpose. */
    private static boolean mayWait(RedisCommand<?, ?, ?> command) {
        String name = String.valueOf(command.getType());
        return name.startsWith("WAIT") || name.endsWith("SUBSCRIBE");
    }
}

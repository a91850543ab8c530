package io.millrace.subdocservice.kv;

import io.millrace.documents.BucketInfo;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.memcached.Feature;
import io.millrace.memcached.Incoming;
import io.millrace.memcached.Incoming.RequestHead;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Request;
import io.millrace.memcached.RequestDecoder;
import io.millrace.memcached.Response;
import io.millrace.memcached.ResponseBatch;
import io.millrace.memcached.Status;
import io.millrace.subdocservice.kv.command.Dispatcher;
import io.millrace.subdocservice.kv.command.KvAudit;
import io.millrace.subdocservice.kv.command.Session;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection: starts requests in the order of arrival, as many at a time as its window allows, and sends the responses in
 * that order unless unordered execution was negotiated. It reads no requests from a client that does not read its
 * responses.
 */
final class KvConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(KvConnection.class);

    /** A request that has started. */
    private static final class Exchange {
        final RequestHead head;
        final boolean ordered;
        final int heldBytes;
        volatile @Nullable Response response;

        Exchange(RequestHead head, boolean ordered, int heldBytes) {
            this.head = head;
            this.ordered = ordered;
            this.heldBytes = heldBytes;
        }
    }

    private final Dispatcher dispatcher;
    private final KvAudit audit;
    private final ByteBudget budget;
    private final RequestDecoder decoder;
    private final Session session;
    private final RequestWindow window = new RequestWindow();

    private final Queue<Incoming> waiting = new ArrayDeque<>(2);
    private final Queue<Exchange> inOrder = new ArrayDeque<>(2);
    private final Queue<Exchange> answered = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean collecting = new AtomicBoolean();

    private @Nullable ChannelHandlerContext context;
    private @Nullable ResponseBatch batch;
    private int inFlight;
    private boolean beginning;
    private boolean held;
    private boolean ending;
    private boolean gone;

    private final long openedAt = System.nanoTime();

    /** Until then requests do not wait for news of their bucket, which have just failed: they fail, too, as the store says. */
    private long storeAwayUntil = openedAt;

    private volatile long lastRead = openedAt;
    private volatile long unwritableSince;
    private volatile boolean loggedIn;

    KvConnection(Dispatcher dispatcher, KvAudit audit, ByteBudget budget, RequestDecoder decoder, Session session) {
        this.dispatcher = dispatcher;
        this.audit = audit;
        this.budget = budget;
        this.decoder = decoder;
        this.session = session;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        batch = new ResponseBatch(added);
    }

    @Override
    public void channelRead(ChannelHandlerContext in, Object message) {
        lastRead = System.nanoTime();
        waiting.add((Incoming) message);
        begin(in);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext in) {
        lastRead = System.nanoTime();
        collect(in);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext in) {
        unwritableSince = in.channel().isWritable() ? 0 : System.nanoTime();
        begin(in);
        collect(in);
    }

    private void begin(ChannelHandlerContext in) {
        while (!waiting.isEmpty()
                && !held
                && !ending
                && inFlight < window.requests()
                && in.channel().isWritable()) {
            switch (waiting.peek()) {
                case Request request -> begin(in, request);
                case Incoming.Refused refused -> refuse(refused);
                case Incoming.Garbage garbage -> {
                    LOG.info(
                            "event=kv_malformed_frame peer={} reason=\"{}\"",
                            in.channel().remoteAddress(),
                            garbage.reason());
                    waiting.remove();
                    ending = true;
                }
                case null -> throw new AssertionError("Not empty");
            }
        }
        in.channel().config().setAutoRead(waiting.isEmpty() && !ending);
    }

    private void begin(ChannelHandlerContext in, Request request) {
        CompletableFuture<Optional<BucketInfo>> needed = dispatcher.prepare(session, request);
        if (needed != null && System.nanoTime() - storeAwayUntil >= 0) {
            held = true;
            needed.whenComplete((bucket, failure) -> in.executor().execute(() -> {
                if (failure == null) {
                    session.refresh(bucket.orElse(null));
                } else {
                    storeAwayUntil = System.nanoTime() + KvLimits.STORE_AWAY.toNanos();
                }
                held = false;
                begin(in);
                collect(in);
            }));
            return;
        }
        waiting.remove();
        Opcode opcode = request.opcode();
        boolean ordered = !session.has(Feature.UNORDERED_EXECUTION);
        Exchange exchange = begun(request.head(), ordered, request.body().length);
        beginning = true;
        CompletableFuture<Response> answer = dispatcher.answer(session, request);
        held = Dispatcher.alone(opcode);
        ending = session.over() || opcode != null && opcode.loud() == Opcode.QUIT;
        answer.thenAccept(response -> {
            if (ResponseBatch.large(response)) {
                budget.hold(response.value().length); // at once: the store may be about to read the next one
            }
            if (KvAudit.refuses(response)) {
                audit.record(session, request, response).thenRun(() -> answered(in, exchange, response));
            } else {
                answered(in, exchange, response);
            }
        });
        beginning = false;
    }

    private void refuse(Incoming.Refused refused) {
        waiting.remove();
        Exchange exchange = begun(refused.head(), !session.has(Feature.UNORDERED_EXECUTION), 0);
        exchange.response = Response.error(refused.status(), refused.reason());
        answered.add(exchange);
        ending = refused.last();
    }

    private Exchange begun(RequestHead head, boolean ordered, int heldBytes) {
        Exchange exchange = new Exchange(head, ordered, heldBytes);
        inFlight++;
        if (ordered) {
            inOrder.add(exchange);
        }
        return exchange;
    }

    /**
     * Takes a response on any thread; a burst of responses schedules one task. A response that is complete when its request
     * starts needs no task, because the caller collects responses after starting requests.
     */
    private void answered(ChannelHandlerContext in, Exchange exchange, Response response) {
        exchange.response = response;
        answered.add(exchange);
        if (in.executor().inEventLoop() && beginning) {
            return;
        }
        if (collecting.compareAndSet(false, true)) {
            in.executor().execute(() -> {
                collecting.set(false);
                collect(in);
            });
        }
    }

    /** Sends the responses that can be sent, and starts requests that fit into the window now. */
    private void collect(ChannelHandlerContext in) {
        boolean some = false;
        while (!answered.isEmpty()) {
            some = true;
            for (Exchange exchange = answered.poll(); exchange != null; exchange = answered.poll()) {
                settle(exchange);
            }
            for (Exchange first = inOrder.peek(); first != null && first.response != null; first = inOrder.peek()) {
                inOrder.remove();
                send(first, first.response);
            }
            begin(in);
        }
        if (some && !gone) {
            batch().flush();
        }
        if (ending && inFlight == 0 && !gone) {
            gone = true;
            in.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void settle(Exchange exchange) {
        budget.give(exchange.heldBytes);
        Response response = exchange.response;
        if (response == null) {
            throw new IllegalStateException("A settled request has no response");
        }
        window.answered(response.value().length);
        Opcode opcode = Opcode.of(exchange.head.opcode());
        if (Dispatcher.alone(opcode)) {
            held = false;
            loggedIn = session.user() != null;
        }
        if (!exchange.ordered) {
            send(exchange, response);
        }
    }

    private void send(Exchange exchange, Response response) {
        inFlight--;
        boolean sends = !gone && !silent(exchange.head, response.status());
        if (!ResponseBatch.large(response)) {
            if (sends) {
                batch().add(exchange.head, response);
            }
            return;
        }
        int bytes = response.value().length;
        if (sends && context != null) {
            ChannelPromise sent = context.newPromise();
            sent.addListener(done -> budget.give(bytes));
            batch().add(exchange.head, response, sent);
        } else {
            budget.give(bytes);
        }
    }

    /** Quiet opcodes suppress the response that the client expects. */
    private static boolean silent(RequestHead head, Status status) {
        Opcode opcode = Opcode.of(head.opcode());
        if (opcode == null || !opcode.quiet()) {
            return false;
        }
        return switch (opcode.loud()) {
            case GET, GETK, GAT, GET_META -> status == Status.KEY_ENOENT;
            default -> status == Status.SUCCESS;
        };
    }

    private ResponseBatch batch() {
        if (batch == null) {
            throw new IllegalStateException("Not in a pipeline");
        }
        return batch;
    }

    @Override
    public void channelInactive(ChannelHandlerContext in) {
        gone = true;
        ending = true;
        batch().release();
        for (Incoming left = waiting.poll(); left != null; left = waiting.poll()) {
            if (left instanceof Request request) {
                budget.give(request.body().length);
            }
        }
        in.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext in, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("event=kv_connection_failed peer={}", in.channel().remoteAddress(), cause);
        }
        in.close();
    }

    /** Takes no more requests and closes after the responses to those that have started; from any thread. */
    void end() {
        ChannelHandlerContext in = context;
        if (in != null) {
            in.executor().execute(() -> {
                ending = true;
                in.channel().config().setAutoRead(false);
                collect(in);
            });
        }
    }

    /** Closes the connection if its client exceeds a timeout; from any thread. */
    void closeIfOverdue(long now, KvSettings settings) {
        ChannelHandlerContext in = context;
        if (in != null) {
            in.executor().execute(() -> {
                String reason = overdue(now, settings);
                if (reason != null) {
                    LOG.info(
                            "event=kv_connection_timed_out peer={} reason={}",
                            in.channel().remoteAddress(),
                            reason);
                    in.close();
                }
            });
        }
    }

    private @Nullable String overdue(long now, KvSettings settings) {
        if (!loggedIn && now - openedAt > settings.loginTimeout().toNanos()) {
            return "login";
        }
        if (decoder.midFrame()
                && waiting.isEmpty()
                && now - lastRead > settings.stallTimeout().toNanos()) {
            return "slow_sender";
        }
        if (unwritableSince != 0
                && now - unwritableSince > settings.stallTimeout().toNanos()) {
            return "slow_reader";
        }
        boolean idle = inFlight == 0
                && waiting.isEmpty()
                && now - lastRead > settings.idleTimeout().toNanos();
        return idle ? "idle" : null;
    }
}

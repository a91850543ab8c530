package io.millrace.subdocservice.kv;

import io.millrace.httpdoor.ByteBudget;
import io.millrace.httpdoor.ConnectionCount;
import io.millrace.memcached.BodyBytes;
import io.millrace.memcached.RequestDecoder;
import io.millrace.subdocservice.kv.command.Dispatcher;
import io.millrace.subdocservice.kv.command.KvAudit;
import io.millrace.subdocservice.kv.command.Session;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server of the binary protocol. */
final class KvServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KvServer.class);
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(5);

    private final KvSettings settings;
    private final Dispatcher dispatcher;
    private final KvAudit audit;
    private final ByteBudget budget;
    private final BodyBytes bodies;
    private final Set<KvConnection> connections = ConcurrentHashMap.newKeySet();
    private final ConnectionCount counted;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private @Nullable EventLoopGroup threads;
    private volatile @Nullable Channel listener;
    private volatile @Nullable Channel tlsListener;
    private volatile boolean closing;

    KvServer(KvSettings settings, ByteBudget budget, Dispatcher dispatcher, KvAudit audit) {
        this.settings = settings;
        this.counted = new ConnectionCount(settings.maxConnections());
        this.budget = budget;
        this.dispatcher = dispatcher;
        this.audit = audit;
        this.bodies = new BodyBytes() {
            @Override
            public boolean take(int bytes, int whole) {
                return budget.take(bytes, whole);
            }

            @Override
            public void give(int bytes) {
                budget.give(bytes);
            }
        };
    }

    /** Starts to listen; throws if the port is in use. */
    synchronized void start(InetAddress address) {
        EventLoopGroup started =
                new MultiThreadIoEventLoopGroup(new DefaultThreadFactory("kv"), NioIoHandler.newFactory());
        threads = started;
        listener = listen(started, address, settings.port(), "MILLRACE_KV_PORT", null);
        long interval = Math.min(
                MAX_CHECK_INTERVAL.toMillis(),
                Math.min(
                                settings.loginTimeout().toMillis(),
                                settings.stallTimeout().toMillis())
                        / 4);
        started.scheduleWithFixedDelay(this::closeOverdueConnections, interval, interval, TimeUnit.MILLISECONDS);
        LOG.info("event=kv_listening address={} port={}", address.getHostAddress(), port());
    }

    /** Listens on a second port, with TLS; the server must have started. Throws if the port is in use. */
    synchronized void startTls(InetAddress address, int port, KvTls tls) {
        tlsListener = listen(Objects.requireNonNull(threads), address, port, "MILLRACE_KV_TLS_PORT", tls);
        LOG.info("event=kv_tls_listening address={} port={}", address.getHostAddress(), tlsPort());
    }

    private Channel listen(EventLoopGroup group, InetAddress address, int port, String variable, @Nullable KvTls tls) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(KvLimits.SLOW_READER_BYTES / 4, KvLimits.SLOW_READER_BYTES))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connect(channel, tls);
                    }
                });
        var bound = bootstrap.bind(address, port).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw new UncheckedIOException(new IOException(
                    "Cannot listen on %s:%d for the binary protocol. If another process uses the port, set %s."
                            .formatted(address.getHostAddress(), port, variable),
                    bound.cause()));
        }
        return bound.channel();
    }

    private void connect(SocketChannel channel, @Nullable KvTls tls) {
        if (!counted.add(channel)) {
            channel.close();
            return;
        }
        InetSocketAddress peer = channel.remoteAddress();
        boolean plain = tls != null
                || settings.plainOnLoopback()
                        && peer != null
                        && peer.getAddress().isLoopbackAddress();
        Session session = new Session(
                plain,
                peer == null || peer.getAddress() == null
                        ? ""
                        : peer.getAddress().getHostAddress(),
                peer == null ? 0 : peer.getPort());
        RequestDecoder decoder = new RequestDecoder(
                bodies, () -> session.user() == null ? KvLimits.MAX_BYTES_BEFORE_LOGIN : Integer.MAX_VALUE);
        KvConnection connection = new KvConnection(dispatcher, audit, budget, decoder, session);
        connections.add(connection);
        channels.add(channel);
        channel.closeFuture().addListener(closed -> connections.remove(connection));
        if (tls != null) {
            tls.secure(channel, session);
        }
        channel.pipeline().addLast(decoder, connection);
        if (closing) { // accepted while the server closes
            connection.end();
        }
    }

    private void closeOverdueConnections() {
        long now = System.nanoTime();
        connections.forEach(connection -> connection.closeIfOverdue(now, settings));
    }

    /** Returns the port, or 0 if the server does not listen. */
    int port() {
        return port(listener);
    }

    /** Returns the port with TLS, or 0 if there is none. */
    int tlsPort() {
        return port(tlsListener);
    }

    private static int port(@Nullable Channel open) {
        return open == null ? 0 : ((InetSocketAddress) open.localAddress()).getPort();
    }

    /** Returns the number of connections. */
    int connections() {
        return connections.size();
    }

    /** Takes no more connections and requests, waits a while for the requests in flight, and closes everything. */
    @Override
    public synchronized void close() {
        Channel open = listener;
        if (open == null || threads == null) {
            return;
        }
        closing = true;
        open.close().awaitUninterruptibly();
        Channel openTls = tlsListener;
        if (openTls != null) {
            openTls.close().awaitUninterruptibly();
        }
        connections.forEach(KvConnection::end);
        channels.newCloseFuture().awaitUninterruptibly(KvLimits.SHUTDOWN_PATIENCE.toMillis());
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        listener = null;
    }
}

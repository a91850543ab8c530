package io.millrace.testkit.storm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Clients of one kind that send one thing and then wait, all on one thread. One that is disconnected or refused tries again. */
final class Crowd implements AutoCloseable {

    private static final int PER_ADDRESS = 100;
    private static final int STATUS_FROM = "HTTP/1.1 ".length();
    private static final int STATUS_TO = STATUS_FROM + 3;
    private static final String OK = "200";
    private static final int RECEIVE_BYTES = 64 * 1024;
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final StormTarget target;
    private final int group;
    private final boolean reads;
    private final IntFunction<byte[]> request;
    private final Selector selector;
    private final Thread thread;
    private final Queue<Member> closed = new ArrayDeque<>();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    private final Map<String, Integer> met = new TreeMap<>();
    private volatile boolean ended;

    private static final class Member {
        final int number;
        boolean answered;
        long notBefore;

        Member(int number) {
            this.number = number;
        }
    }

    /**
     * @param group of the addresses of these clients
     * @param reads whether they read what they get
     * @param request what each sends
     */
    Crowd(StormTarget target, int group, int count, boolean reads, IntFunction<byte[]> request) throws IOException {
        this.target = target;
        this.group = group;
        this.reads = reads;
        this.request = request;
        this.selector = Selector.open();
        for (int i = 0; i < count; i++) {
            closed.add(new Member(i));
        }
        this.thread = Thread.ofPlatform().name("crowd-" + group).start(this::run);
    }

    private void run() {
        while (!ended) {
            try {
                connectClosed();
                selector.select(this::ready, PAUSE.toMillis() / 2);
            } catch (IOException e) {
                count("failed");
            }
        }
    }

    private void connectClosed() {
        long now = System.nanoTime();
        for (Member next = closed.peek();
                next != null && (next.notBefore == 0 || next.notBefore - now <= 0);
                next = closed.peek()) {
            closed.remove();
            connect(next);
        }
    }

    private void connect(Member member) {
        try {
            SocketChannel channel = SocketChannel.open();
            channels.add(channel);
            if (!reads) { // otherwise the system may take a whole response
                channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
            }
            channel.bind(new InetSocketAddress(target.client(group, 1 + member.number / PER_ADDRESS), 0));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT, member);
            channel.connect(target.address());
        } catch (IOException e) {
            again(member, "failed");
        }
    }

    private void ready(SelectionKey key) {
        Member member = (Member) key.attachment();
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
                channel.write(ByteBuffer.wrap(request.apply(member.number)));
                key.interestOps(reads ? SelectionKey.OP_READ : 0);
                count("connected");
            } else {
                read(member, channel);
            }
        } catch (IOException e) {
            close(channel);
            again(member, "disconnected");
        }
    }

    private void read(Member member, SocketChannel channel) throws IOException {
        buffer.clear();
        int bytes = channel.read(buffer);
        if (bytes < 0) {
            throw new IOException("The server has closed the connection");
        }
        if (!member.answered && bytes >= STATUS_TO) {
            member.answered = true;
            byte[] start = new byte[STATUS_TO];
            buffer.flip().get(start);
            String status = new String(start, STATUS_FROM, STATUS_TO - STATUS_FROM, StandardCharsets.US_ASCII);
            count("status " + status);
            if (!status.equals(OK)) {
                throw new IOException("The request was refused with status " + status);
            }
        }
    }

    private void again(Member member, String why) {
        count(why);
        member.answered = false;
        member.notBefore = System.nanoTime() + PAUSE.toNanos();
        closed.add(member);
    }

    private void close(@Nullable SocketChannel channel) {
        if (channel != null) {
            channels.remove(channel);
            try {
                channel.close();
            } catch (IOException e) {
                // it is gone in any case
            }
        }
    }

    private void count(String what) {
        synchronized (met) {
            met.merge(what, 1, Integer::sum);
        }
    }

    /** Returns how often something happened, such as {@code connected} or {@code status 200}. */
    int met(String what) {
        synchronized (met) {
            return met.getOrDefault(what, 0);
        }
    }

    Map<String, Integer> met() {
        synchronized (met) {
            return new TreeMap<>(met);
        }
    }

    @Override
    public void close() throws IOException {
        ended = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List.copyOf(channels).forEach(this::close);
        selector.close();
    }
}

package io.millrace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The watch of a connection whose time is moved by hand. */
class SilenceWatchTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong();
    private final SilenceWatch watch = new SilenceWatch(TIMEOUT, now::get);
    private final EmbeddedChannel channel = new EmbeddedChannel();

    SilenceWatchTest() {
        channel.freezeTime();
        watch.guard(channel);
        channel.pipeline().fireChannelActive();
    }

    private static AsyncCommand<byte[], byte[], String> command(CommandType type) {
        return new AsyncCommand<>(new Command<>(type, new StatusOutput<>(ByteArrayCodec.INSTANCE)));
    }

    private AsyncCommand<byte[], byte[], String> sent(CommandType type) {
        AsyncCommand<byte[], byte[], String> command = command(type);
        channel.writeOneOutbound(command);
        return command;
    }

    private void answer(AsyncCommand<byte[], byte[], String> command) {
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));
        command.complete();
    }

    private void pass(Duration time) {
        pass(time, 250);
    }

    /** @param lookMillis the time between two looks: one that is long is one look */
    private void pass(Duration time, int lookMillis) {
        for (long step = 0; step < time.toMillis(); step += lookMillis) {
            channel.advanceTimeBy(lookMillis, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void silentRedis_failsWhatItOwesAndWhatIsCalledAfterwards() {
        var first = sent(CommandType.GET);
        pass(Duration.ofMillis(3_750));
        assertThat(first).isNotDone();

        pass(Duration.ofMillis(500));
        var second = sent(CommandType.SET);

        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(second.handle((answer, failure) -> failure).toCompletableFuture())
                .isCompletedWithValueMatching(RedisCommandTimeoutException.class::isInstance);
    }

    @Test
    void answer_endsTheSilence() {
        sent(CommandType.GET);
        pass(Duration.ofSeconds(5));
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));

        var later = sent(CommandType.GET);

        assertThat(later).isNotDone();
    }

    @Test
    void slowRedis_thatAnswersOthers_isNotSilent() {
        var slow = sent(CommandType.GET);
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofSeconds(3));
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));
        }

        assertThat(slow).isNotDone();
    }

    @Test
    void idleConnection_isNotSilent() {
        answer(sent(CommandType.GET));
        pass(Duration.ofMinutes(1));

        assertThat(sent(CommandType.GET)).isNotDone();
    }

    @Test
    void commandThatWaitsOnPurpose_isNotSilence() {
        var waits = sent(CommandType.WAIT);
        var behind = sent(CommandType.GET);

        pass(Duration.ofMinutes(1));

        assertThat(waits).isNotDone();
        assertThat(behind).isNotDone();
    }

    @Test
    void looksOfABusyMachine_thatComeLate_doNotProlongTheWait() {
        var command = sent(CommandType.GET);
        pass(Duration.ofMillis(3_600), 450);
        assertThat(command).isNotDone();

        pass(Duration.ofMillis(450), 450);

        assertThat(command).isCompletedExceptionally();
    }

    @Test
    void pauseOfThisProcess_isOneLook() {
        var command = sent(CommandType.GET);

        channel.advanceTimeBy(1, TimeUnit.MINUTES);
        channel.runScheduledPendingTasks();

        assertThat(command).isNotDone();
    }

    @Test
    void commandsSentTogether_failTogether() {
        List<AsyncCommand<byte[], byte[], String>> batch = List.of(command(CommandType.GET), command(CommandType.SET));
        channel.writeOneOutbound(batch);

        pass(Duration.ofSeconds(5));

        assertThat(batch).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
    }

    @Test
    void lostConnection_shortensTheTimeoutOfCommandsAndFailsThoseUnderWay() {
        answer(sent(CommandType.GET));
        forgetTrouble();
        var underWay = sent(CommandType.GET);
        assertThat(timeoutOfCommands()).isEqualTo(TIMEOUT);

        channel.pipeline().fireChannelInactive();
        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.MAX_SILENCE);
        channel.advanceTimeBy(5, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        now.addAndGet(TimeUnit.SECONDS.toNanos(5));

        assertThat(underWay).isCompletedExceptionally();
        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.WAIT_WHILE_AWAY);
    }

    @Test
    void connectionsOnWhichRedisSendsNothing_areNone() {
        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.MAX_SILENCE);
        EmbeddedChannel another = anotherConnection();
        forgetTrouble();
        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.WAIT_WHILE_AWAY);

        another.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));
        assertThat(timeoutOfCommands()).isEqualTo(TIMEOUT);

        channel.pipeline().fireChannelInactive();
        assertThat(timeoutOfCommands()).isEqualTo(TIMEOUT);
        another.pipeline().fireChannelInactive();
        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.MAX_SILENCE);
    }

    @Test
    void oneOfSeveralConnectionsLost_shortensTheTimeoutUntilNoneIsLostAnyMore() {
        EmbeddedChannel another = anotherConnection();
        answer(sent(CommandType.GET));
        another.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));
        forgetTrouble();
        assertThat(timeoutOfCommands()).isEqualTo(TIMEOUT);

        channel.close();
        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.MAX_SILENCE);

        forgetTrouble();
        assertThat(timeoutOfCommands()).isEqualTo(TIMEOUT);
    }

    @Test
    void firstConnection_hasTheWholeTimeoutAtOnce() {
        answer(sent(CommandType.GET));

        assertThat(timeoutOfCommands()).isEqualTo(TIMEOUT);
    }

    @Test
    void commandThatWaitsOnPurpose_keepsItsTimeoutWhenAConnectionWasLost() {
        EmbeddedChannel another = anotherConnection();
        answer(sent(CommandType.GET));
        another.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));

        another.close();

        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.MAX_SILENCE);
        assertThat(watch.getTimeout(command(CommandType.WAIT))).isEqualTo(TIMEOUT.toMillis());
    }

    @Test
    void attemptToConnectThatFails_keepsTheTimeoutShort() {
        answer(sent(CommandType.GET));
        forgetTrouble();
        EmbeddedChannel attempt = new EmbeddedChannel();
        watch.guard(attempt);

        attempt.pipeline().fireChannelUnregistered();

        assertThat(timeoutOfCommands()).isEqualTo(RedisLimits.MAX_SILENCE);
    }

    private EmbeddedChannel anotherConnection() {
        EmbeddedChannel another = new EmbeddedChannel();
        watch.guard(another);
        another.pipeline().fireChannelActive();
        return another;
    }

    /** Lets so much time pass that what happened to connections before does not count. */
    private void forgetTrouble() {
        now.addAndGet(RedisLimits.MAX_SILENCE.plusMillis(1).toNanos());
    }

    private Duration timeoutOfCommands() {
        return Duration.ofMillis(watch.getTimeout(command(CommandType.GET)));
    }
}

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
import org.junit.jupiter.api.Test;

/** The watch of a connection whose time is moved by hand. */
class SilenceWatchTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final SilenceWatch watch = new SilenceWatch(TIMEOUT);
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
        var underWay = sent(CommandType.GET);
        assertThat(watch.getTimeout(underWay)).isEqualTo(TIMEOUT.toMillis());

        channel.pipeline().fireChannelInactive();
        assertThat(watch.getTimeout(underWay)).isEqualTo(RedisLimits.MAX_SILENCE.toMillis());
        channel.advanceTimeBy(5, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        assertThat(underWay).isCompletedExceptionally();
    }

    @Test
    void connectionsOnWhichRedisSendsNothing_areNone() {
        var command = command(CommandType.GET);
        assertThat(watch.getTimeout(command)).isEqualTo(RedisLimits.MAX_SILENCE.toMillis());
        EmbeddedChannel another = new EmbeddedChannel();
        watch.guard(another);
        another.pipeline().fireChannelActive();
        assertThat(watch.getTimeout(command)).isEqualTo(RedisLimits.MAX_SILENCE.toMillis());

        another.writeInbound(Unpooled.wrappedBuffer(new byte[] {'+'}));
        assertThat(watch.getTimeout(command)).isEqualTo(TIMEOUT.toMillis());

        channel.pipeline().fireChannelInactive();
        assertThat(watch.getTimeout(command)).isEqualTo(TIMEOUT.toMillis());
        another.pipeline().fireChannelInactive();
        assertThat(watch.getTimeout(command)).isEqualTo(RedisLimits.MAX_SILENCE.toMillis());
    }
}

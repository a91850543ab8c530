package io.millrace.metakvservice.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.streams.follow.EventFeed;
import io.millrace.streams.follow.Position;
import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.StreamName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class StreamFeedControllerTest {

    private static final int STREAMS = 20;

    private final StreamBucket bucket = new StreamBucket(new MemoryDocumentStore(InstantSource.system()));

    private EventFeed feedOfManyStreams() {
        for (int cart = 0; cart < STREAMS; cart++) {
            StreamName stream = StreamName.parse("Cart-" + cart);
            EncodedEvent event = EncodedEvent.of("Opened", "{}", Instant.EPOCH);
            bucket.call(() -> bucket.events().appendAtEnd(stream, List.of(event)))
                    .block();
        }
        return Objects.requireNonNull(
                bucket.feed(stream -> true, Position.START).block());
    }

    private static BaseSubscriber<ServerSentEvent<Object>> follower(AtomicInteger messages, long demand) {
        return new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(demand);
            }

            @Override
            protected void hookOnNext(ServerSentEvent<Object> message) {
                messages.incrementAndGet();
            }
        };
    }

    @Test
    void followerThatTakesOneMessage_onlyTheNextStepIsRead() {
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger messages = new AtomicInteger();
        Mono<Void> sent = Mono.fromRunnable(reads::incrementAndGet);

        var follower = follower(messages, 1);
        StreamFeedController.events(feedOfManyStreams(), sent).subscribe(follower);

        assertThat(messages).hasValue(1);
        assertThat(reads).hasValueLessThanOrEqualTo(2);
        follower.cancel();
    }

    @Test
    void messagesThatAreNotSent_noStepIsReadBehindThem() {
        AtomicInteger messages = new AtomicInteger();
        Sinks.Empty<Void> sent = Sinks.empty();

        var follower = follower(messages, STREAMS);
        StreamFeedController.events(feedOfManyStreams(), sent.asMono()).subscribe(follower);
        assertThat(messages).hasValue(0);

        sent.tryEmitEmpty();
        assertThat(messages).hasValue(STREAMS);
        follower.cancel();
    }
}

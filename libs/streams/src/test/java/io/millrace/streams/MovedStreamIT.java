package io.millrace.streams;

import static io.millrace.documents.StoreKit.await;
import static io.millrace.streams.StreamKit.events;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Keyspace;
import io.millrace.documents.redis.BucketMove;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamName;
import io.millrace.testkit.OwnRedis;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bucket of streams moves to another Redis while it is in use. */
class MovedStreamIT {

    private static final String BUCKET = "moving";

    private final OwnRedis oldRedis = OwnRedis.startVolatile();
    private final OwnRedis newRedis = OwnRedis.startVolatile();
    private final RedisKit oldKit = new RedisKit(oldRedis.url());
    private final RedisKit newKit = new RedisKit(newRedis.url());
    private final RedisDocumentStore before = oldKit.store(InstantSource.system());
    private final RedisDocumentStore after = newKit.store(InstantSource.system());

    @AfterEach
    void stop() {
        oldKit.close();
        newKit.close();
        oldRedis.close();
        newRedis.close();
    }

    @Test
    void batchesPrunedDuringAMove_areNotAtTheNewPlace() {
        await(before.catalog().createBucket(BUCKET, 1));
        await(after.catalog().list());
        StreamName stream = StreamKit.newStream("Cart");
        StreamEvents leaving = streams(before);
        await(leaving.append(stream, 0, events(0, 4)));
        await(leaving.append(stream, 4, events(4, 2)));
        BucketMove move = new BucketMove(before, after, BUCKET);
        move.prepare();
        assertThat(await(leaving.prune(stream, 3)).deleted()).isEqualTo(4);

        move.finish();

        assertThat(oldKit.console().keys("mr:{moving.0}:e:*"))
                .singleElement()
                .satisfies(key -> assertThat(newKit.console().lrange(key, 0, -1))
                        .hasSize(2)
                        .isEqualTo(oldKit.console().lrange(key, 0, -1)));
        assertThat(await(streams(after).get(stream, 4, 10))).hasSize(2);
    }

    private static StreamEvents streams(RedisDocumentStore documents) {
        return new StreamEvents(StreamContext.of(StreamStores.on(documents, Keyspace.of(BUCKET)))
                .withTip(0, Limits.DEFAULT_TIP_BYTES));
    }
}

package io.millrace.streams;

import io.millrace.documents.Keyspace;
import io.millrace.documents.StoreKit;
import io.millrace.documents.redis.RedisDocumentStore;
import io.millrace.documents.redis.RedisKit;
import io.millrace.streams.store.StreamStore;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class RedisDeciderIT extends DeciderContract {

    private static final Pattern CALLS = Pattern.compile("cmdstat_fcall(?:_ro)?:calls=(\\d+)");

    private final RedisDocumentStore documents = RedisKit.shared().store(InstantSource.system());
    private final StreamStore store = inNewBucket();
    private final StreamStore archive = inNewBucket();

    private StreamStore inNewBucket() {
        String bucket = StoreKit.uniqueBucket();
        StoreKit.await(documents.catalog().createBucket(bucket, 1));
        return StreamStores.on(documents, Keyspace.of(bucket));
    }

    @Override
    StreamStore store() {
        return store;
    }

    @Override
    StreamStore archive() {
        return archive;
    }

    @Override
    long calls() {
        Matcher calls = CALLS.matcher(RedisKit.shared().console().info("commandstats"));
        long sum = 0;
        while (calls.find()) {
            sum += Long.parseLong(calls.group(1));
        }
        return sum;
    }
}

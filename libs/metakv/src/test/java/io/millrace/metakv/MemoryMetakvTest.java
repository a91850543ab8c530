package io.millrace.metakv;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryMetakvTest extends MetakvContract {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final MemoryMetakv metakv = new MemoryMetakv();

    @Override
    protected MetakvClient metakv() {
        return metakv;
    }

    /** A watcher that waits for a lock of its own would wait for ever if the one who holds that lock called MetaKV. */
    @Test
    void watcher_isToldWhileOthersCanReadAndWrite() {
        var seen = new CopyOnWriteArrayList<String>();
        var watch = metakv.watch("/d/").subscribe(event -> {
            if (event instanceof MetakvClient.MetakvEvent.Changed(MetakvEntry entry)
                    && entry.path().equals("/d/first")) {
                CompletableFuture.runAsync(
                                () -> metakv.set("/d/second", new byte[] {2}).block(PATIENCE))
                        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join();
            }
            seen.add(event.toString());
        });

        metakv.set("/d/first", new byte[] {1}).block(PATIENCE);

        assertThat(seen).as("Ready, and both entries in order").hasSize(3);
        assertThat(seen.get(1)).contains("/d/first");
        assertThat(seen.get(2)).contains("/d/second");
        watch.dispose();
    }
}

package io.millrace.metakvservice.entries;

import java.util.Comparator;
import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads changes that the log of the mirror no longer has from the streams, in the order of the changes. */
@Component
final class Replays {

    /** The most bytes of values in one replay; a full list costs less than a larger one. */
    static final long MAX_REPLAY_BYTES = 32L * 1024 * 1024;

    private static final int READS_AT_ONCE = 32;

    private final ConfigStreams streams;

    Replays(ConfigStreams streams) {
        this.streams = streams;
    }

    /** Returns the changes below a directory between two positions; empty if some of them are no longer kept. */
    Mono<List<WatchEvent>> between(MirrorState state, Cursor after, Cursor upTo, String directory) {
        var bytes = new long[1];
        return Flux.fromIterable(state.movedSince(after, directory))
                .flatMap(path -> streams.afterSeqno(path, after.seqno()), READS_AT_ONCE)
                .flatMapIterable(changes -> changes)
                .filter(change -> change.seqno() <= upTo.seqno())
                .doOnNext(change -> {
                    bytes[0] += change.bytes();
                    if (bytes[0] > MAX_REPLAY_BYTES) {
                        throw HistoryPruned.INSTANCE;
                    }
                })
                .sort(Comparator.comparingLong(EntryChange::seqno))
                .map(state::notice)
                .collectList()
                .onErrorResume(HistoryPruned.class, failure -> Mono.empty());
    }
}

package io.millrace.metakv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The part of {@link MetakvContract} about former values. */
abstract class MetakvHistoryContract {

    static final Duration LONG = Duration.ofSeconds(60);

    /** Below this directory each test is alone. */
    protected final String home = "/contract/" + UUID.randomUUID() + "/";

    protected abstract MetakvClient metakv();

    @Test
    void history_hasEveryChangeNewestFirst() {
        String first = set("h", "one");
        metakv().delete(home + "h").block(LONG);
        set("h", "two");

        List<MetakvChange> all = done(metakv().history(home + "h", Long.MAX_VALUE, 100));
        assertThat(all).extracting(MetakvChange::deleted).containsExactly(false, true, false);
        assertThat(all.getFirst().value()).isEqualTo("two".getBytes(UTF_8));
        List<MetakvChange> older =
                done(metakv().history(home + "h", all.getFirst().version() - 1, 1));
        assertThat(older).singleElement().extracting(MetakvChange::rev).isEqualTo(first);
    }

    protected final String set(String name, String value) {
        return done(metakv().set(home + name, value.getBytes(UTF_8)));
    }

    static <T> T done(Mono<T> call) {
        return Objects.requireNonNull(call.block(LONG), "no answer");
    }
}

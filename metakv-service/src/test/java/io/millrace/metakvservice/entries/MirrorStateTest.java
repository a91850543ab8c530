package io.millrace.metakvservice.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MirrorStateTest {

    private final MirrorState state = new MirrorState(7);
    private long seqno;

    @Test
    void since_tellsTheChangesBelowTheDirectoryInOrder() {
        Cursor start = state.end();

        write("/a/x", "1");
        write("/b/x", "sibling");
        write("/a/x", "2");
        remove("/a/x");

        assertThat(state.since(start, "/a/").orElseThrow())
                .extracting(MirrorStateTest::brief)
                .containsExactly("/a/x=1", "/a/x=2", "/a/x gone");
    }

    @Test
    void since_goesOnAfterEachId() {
        Cursor start = state.end();
        write("/x", "1");
        write("/y", "2");
        var first = (WatchEvent.Entry) state.since(start, "/").orElseThrow().getFirst();

        Cursor next = Cursor.parse(String.valueOf(first.next())).orElseThrow();

        assertThat(state.since(next, "/").orElseThrow())
                .extracting(MirrorStateTest::brief)
                .containsExactly("/y=2");
    }

    @Test
    void since_doesNotKnowPlacesThatTheLogHasLeft() {
        Cursor start = state.end();
        write("/x", "0");
        Cursor second = state.end();
        for (int i = 1; i <= MirrorState.LOG_EVENTS; i++) {
            write("/x", "v" + i);
        }

        assertThat(state.since(start, "/")).isEmpty();
        assertThat(state.since(second, "/").orElseThrow()).hasSize(MirrorState.LOG_EVENTS);
        assertThat(state.movedSince(start, "/")).containsExactly("/x");
    }

    @Test
    void since_keepsNoMoreBytesThanTheLimit() {
        Cursor start = state.end();
        int size = 4 * 1024 * 1024;
        int fit = (int) (MirrorState.LOG_BYTES / size);
        for (int i = 0; i <= fit; i++) {
            write("/x", "v".repeat(size));
        }

        assertThat(state.since(start, "/")).isEmpty();
        assertThat(state.since(new Cursor(7, 1), "/").orElseThrow()).hasSize(fit);
    }

    @Test
    void since_doesNotKnowPlacesOfOthers() {
        write("/x", "1");

        for (Cursor other : List.of(new Cursor(8, 0), new Cursor(7, 2), new Cursor(7, -1))) {
            assertThat(state.since(other, "/")).isEmpty();
            assertThat(state.knows(other)).isFalse();
        }
    }

    @Test
    void apply_ofAKnownEntry_changesNothing() {
        write("/x", "1");
        Cursor start = state.end();

        state.apply(List.of(new EntryChange("/x", 1, 1, new byte[0], false, Instant.EPOCH, null)), 2);

        assertThat(state.since(start, "/").orElseThrow()).isEmpty();
        assertThat(state.end()).isEqualTo(new Cursor(7, 2));
    }

    @Test
    void lastChange_countsDeletionsOnly() {
        write("/a/x", "1");
        write("/b", "1");

        assertThat(state.lastChange("/a/")).isEqualTo(1);
        remove("/a/x");
        assertThat(state.lastChange("/a/")).isEqualTo(3);
        assertThat(state.size()).isEqualTo(1);
        assertThat(state.lastChange("/c/")).isZero();
    }

    @Test
    void listing_isFramedByResetAndReady() {
        write("/a/x", "1");
        write("/b", "2");

        List<WatchEvent> notices = state.listing("/a/");

        assertThat(notices.getFirst()).isEqualTo(new WatchEvent.Reset());
        assertThat(notices.getLast()).isEqualTo(new WatchEvent.Ready(state.end()));
        assertThat(notices).hasSize(3);
    }

    @Test
    void cursor_isReadBackAndNonsenseIsNot() {
        var cursor = new Cursor(-5, 17);

        assertThat(Cursor.parse(cursor.toString())).contains(cursor);
        for (String nonsense : List.of("", "-", "x-1", "1-", "-1", "12", "1-x", "fffffffffffffffff-1")) {
            assertThat(Cursor.parse(nonsense)).isEmpty();
        }
    }

    private void write(String path, String value) {
        change(path, value.getBytes(UTF_8));
    }

    private void remove(String path) {
        change(path, null);
    }

    private void change(String path, byte @Nullable [] value) {
        long version = state.version(path) + 1;
        state.apply(List.of(new EntryChange(path, version, ++seqno, value, false, Instant.EPOCH, null)), seqno);
    }

    private static String brief(WatchEvent notice) {
        return notice instanceof WatchEvent.Entry entry
                ? entry.path()
                        + (entry.entry() == null ? " gone" : "=" + entry.entry().text())
                : notice.toString();
    }
}

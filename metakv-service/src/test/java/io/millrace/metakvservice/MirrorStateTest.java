package io.millrace.metakvservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.Datatype;
import io.millrace.documents.Document;
import io.millrace.documents.Document.State;
import io.millrace.documents.DocumentKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class MirrorStateTest {

    private final MirrorState state = new MirrorState(7);
    private long cas;

    @Test
    void since_tellsTheChangesBelowTheDirectoryInOrder() {
        Cursor start = state.end();

        write("/a/x", "1");
        write("/b/x", "beside");
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
        var first = (Notice.Entry) state.since(start, "/").orElseThrow().getFirst();

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

        assertThat(state.since(new Cursor(8, 0), "/")).isEmpty();
        assertThat(state.since(new Cursor(7, 2), "/")).isEmpty();
        assertThat(state.since(new Cursor(7, -1), "/")).isEmpty();
    }

    @Test
    void apply_ofWhatIsKnownIsNoChange() {
        write("/x", "1");
        Cursor end = state.end();

        cas--;
        write("/x", "1");
        remove("/never");

        assertThat(state.end()).isEqualTo(end);
    }

    @Test
    void listing_isFramedByResetAndReady() {
        write("/a/x", "1");
        write("/b", "2");

        List<Notice> notices = state.listing("/a/");

        assertThat(notices.getFirst()).isEqualTo(new Notice.Reset());
        assertThat(notices.getLast()).isEqualTo(new Notice.Ready(state.end()));
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
        state.applyEntry(document(path, State.LIVE, value));
    }

    private void remove(String path) {
        state.applyEntry(document(path, State.DELETED, ""));
    }

    private Document document(String path, State how, String value) {
        var key = new DocumentKey(SystemBucket.ENTRIES, path);
        return new Document(key, ++cas, how, value.getBytes(UTF_8), Datatype.BINARY, 0, null, null, null, null);
    }

    private static String brief(Notice notice) {
        return notice instanceof Notice.Entry entry
                ? entry.path()
                        + (entry.entry() == null ? " gone" : "=" + entry.entry().text())
                : notice.toString();
    }
}

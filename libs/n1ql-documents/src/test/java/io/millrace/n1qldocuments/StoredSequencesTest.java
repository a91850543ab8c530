package io.millrace.n1qldocuments;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.StoreKit;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.n1ql.keyspace.Sequence;
import io.millrace.n1ql.keyspace.SequenceName;
import io.millrace.n1ql.keyspace.SequenceOptions;
import io.millrace.n1ql.keyspace.SequenceStore.Kept;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StoredSequencesTest {

    private final DocumentStore store = new MemoryDocumentStore(new StoreKit.Clock());
    private final StoredSequences sequences = new StoredSequences(store);
    private final Sequence ids = Sequence.of(new SequenceName("shop", "eu", "a/b.c `d`"), SequenceOptions.NONE);

    private Kept read() {
        return Objects.requireNonNull(new StoredSequences(store).find(ids.name()));
    }

    @Test
    void sequences_areReadAsTheyWereWritten() {
        assertThat(sequences.create(ids)).isTrue();
        assertThat(sequences.create(ids)).isFalse();

        assertThat(read().sequence()).isEqualTo(ids);
        assertThat(new StoredSequences(store).all()).containsExactly(ids);
    }

    @Test
    void replacement_needsTheVersionThatWasRead() {
        sequences.create(ids);
        Kept first = read();
        Kept second = read();
        Sequence rest = Objects.requireNonNull(ids.reserve()).rest();

        assertThat(sequences.replace(first, rest)).isTrue();
        assertThat(sequences.replace(second, rest)).isFalse();
        assertThat(read().sequence()).isEqualTo(rest);
    }

    @Test
    void absentSequences_areNotFound() {
        assertThat(sequences.find(ids.name())).isNull();
        assertThat(sequences.all()).isEmpty();
        assertThat(sequences.drop(ids.name())).isFalse();
        sequences.create(ids);
        Kept seen = read();

        assertThat(sequences.drop(ids.name())).isTrue();
        assertThat(sequences.find(ids.name())).isNull();
        assertThat(sequences.replace(seen, ids)).isFalse();
    }

    @Test
    void functionsAndSequences_areKeptApart() {
        sequences.create(ids);

        assertThat(new StoredFunctions(store).all()).isEmpty();
        assertThat(StoreKit.await(store.catalog().list())).isEmpty();
    }
}

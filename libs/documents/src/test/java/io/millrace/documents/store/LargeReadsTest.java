package io.millrace.documents.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.Limits;
import io.millrace.documents.ReadRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LargeReadsTest {

    private static final DocumentKey KEY = new DocumentKey(Keyspace.of("b"), "photograph");

    private final LargeReads reads = new LargeReads(ReadRoom.UNLIMITED);

    @Test
    void reads_areSentAFewAtATime_inTheirOrder() {
        List<CompletableFuture<String>> sent = new ArrayList<>();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < Limits.LARGE_READS_AT_A_TIME + 2; i++) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            answers.add(answer);
            reads.read(KEY, 1 << 20, () -> {
                sent.add(answer);
                return answer;
            });
        }

        assertThat(sent).isEqualTo(answers.subList(0, Limits.LARGE_READS_AT_A_TIME));
        answers.getFirst().completeExceptionally(new IllegalStateException("the connection broke"));
        assertThat(sent).isEqualTo(answers.subList(0, Limits.LARGE_READS_AT_A_TIME + 1));
        answers.get(1).complete("document");
        assertThat(sent).isEqualTo(answers);
    }

    @Test
    void documents_areKnownByTheirLatestSize_andSoManyAtMost() {
        reads.note(KEY, Limits.MAX_BYTES_AMONG_OTHERS + 1);
        assertThat(reads.knows(KEY)).isTrue();

        reads.note(KEY, Limits.MAX_BYTES_AMONG_OTHERS);
        assertThat(reads.knows(KEY)).isFalse();

        reads.note(KEY, Limits.MAX_DOCUMENT_BYTES);
        for (int i = 0; i < Limits.MAX_REMEMBERED_LARGE; i++) {
            reads.note(new DocumentKey(Keyspace.of("b"), "p" + i), Limits.MAX_DOCUMENT_BYTES);
        }
        assertThat(reads.knows(KEY)).isFalse();
    }
}

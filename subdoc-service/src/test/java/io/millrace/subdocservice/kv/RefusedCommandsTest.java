package io.millrace.subdocservice.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.memcached.Opcode;
import io.millrace.memcached.Status;
import io.millrace.memcached.client.Call;
import io.millrace.memcached.client.MemcachedClient;
import io.millrace.memcached.client.MemcachedClient.Answer;
import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What Couchbase answers and this service does not: one answer that says so, in words, and the connection goes on. */
class RefusedCommandsTest {

    private final MemoryDocumentStore store = new MemoryDocumentStore(InstantSource.system());
    private KvKit kit;
    private MemcachedClient client;

    @BeforeEach
    void connect() throws IOException {
        store.catalog().createBucket("b", 1).join();
        kit = new KvKit(store, InstantSource.system());
        client = kit.open("b", KvKit.ALL);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        kit.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"STAT", "OBSERVE", "OBSERVE_SEQNO", "FLUSH", "GET_ALL_VB_SEQNOS", "GET_FAILOVER_LOG"})
    void refusal_saysWhatToUseInstead(Opcode opcode) throws IOException {
        Answer answer = refused(Call.of(opcode), Status.NOT_SUPPORTED);

        String words = JsonMapper.shared()
                .readTree(answer.value())
                .path("error")
                .path("context")
                .asString();
        assertThat(words).matches("[A-Z].*[^.]").contains(" ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x50, 0x53, 0xfd})
    void unknownOpcode_isUnknown(int opcode) throws IOException {
        refused(new Call(opcode, new byte[0], new byte[0], new byte[0], new byte[0], 0, 0, 0), Status.UNKNOWN_COMMAND);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"QUIT", "QUITQ"})
    void everyOpcode_hasOneAnswerOrIsQuiet(Opcode opcode) throws IOException {
        int sent = client.send(Call.of(opcode, "key"));
        int after = client.send(Call.of(Opcode.NOOP));
        client.flush();

        Answer first = client.receive();
        if (first.opaque() == sent) {
            first = client.receive();
        } else {
            assertThat(opcode.quiet()).isTrue();
        }
        assertThat(first.opaque()).isEqualTo(after);
        assertThat(first.status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void quietFlush_isRefusedLoudly() throws IOException {
        refused(Call.of(Opcode.FLUSHQ), Status.NOT_SUPPORTED);
    }

    /** Exactly one answer comes, whatever follows it. */
    private Answer refused(Call call, Status status) throws IOException {
        int sent = client.send(call);
        int after = client.send(Call.of(Opcode.NOOP));
        client.flush();
        Answer answer = client.receive();
        assertThat(answer.opaque()).isEqualTo(sent);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(client.receive().opaque()).isEqualTo(after);
        return answer;
    }
}

package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sub-document mutations are mutations like any other: functions receive them, except their own. */
class SubDocumentFeedIT {

    private static final String CODE = """
            function OnUpdate(doc, meta) {
              log("update", meta.id, JSON.stringify(doc));
              if (doc.n < 100) {
                source[meta.id] = {n: 100 + doc.n};
              }
            }
            function OnDelete(meta) {
              log("delete", meta.id);
            }""";
    private static final String FUNCTION = "parts_feed";

    private final Api api = new Api(RunningSuite.gateway());

    @AfterEach
    void close() {
        api.close();
    }

    private long handled(String outcome) {
        return api.counter(FUNCTION, "execution_stats", outcome);
    }

    private void awaitHandled(String outcome, long count) {
        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(handled(outcome)).isEqualTo(count));
    }

    private Api.Answer mutate(String body) {
        return api.post(Api.document("source", "a") + "/mutate-in", body).succeeded();
    }

    @Test
    void subDocumentMutations_areReceivedOnceExceptOwnOnes() {
        api.bucket("source");
        api.bucket("eventing");
        api.deploy(FUNCTION, Definitions.function(FUNCTION, CODE, "source", "eventing", "source", Map.of()));

        mutate("{\"doc_flags\":[\"mkdoc\"],\"specs\":[{\"op\":\"dict_upsert\",\"path\":\"n\",\"value\":1}]}");
        awaitHandled("on_update_success", 1);
        // the function's write is stored, and did not trigger the function
        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(
                                api.counter(FUNCTION, "event_processing_stats", "dcp_mutation_suppressed_counter"))
                        .isEqualTo(1));
        assertThat(api.get(Api.document("source", "a")).body()).isEqualTo("{\"n\":101}");

        // a change of only an attribute is a mutation, although the function wrote the body
        mutate("{\"op\":\"dict_upsert\",\"path\":\"mark\",\"value\":1,\"flags\":[\"xattr_path\"]}");
        awaitHandled("on_update_success", 2);
        mutate("{\"op\":\"counter\",\"path\":\"n\",\"value\":1}");
        awaitHandled("on_update_success", 3);
        mutate("{\"specs\":[{\"op\":\"dict_upsert\",\"path\":\"_sys\",\"value\":1,\"flags\":[\"xattr_path\"]},"
                + "{\"op\":\"delete_doc\"}]}");
        awaitHandled("on_delete_success", 1);

        assertThat(handled("on_update_success")).isEqualTo(3);
        assertThat(api.log(FUNCTION)).contains("{\\\"n\\\":1}", "{\\\"n\\\":101}", "{\\\"n\\\":102}", "\"delete\"");
        api.undeploy(FUNCTION);
    }
}

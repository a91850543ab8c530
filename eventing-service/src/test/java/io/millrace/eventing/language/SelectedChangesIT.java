package io.millrace.eventing.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.documents.ChangePage;
import io.millrace.documents.Document;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Keyspace;
import io.millrace.documents.VBuckets;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes that a function leaves out by its filter, and changes that its canary handles, through the REST API. */
class SelectedChangesIT extends KitService {

    private static final String SOURCE = "selected-src";
    private static final String TARGET = "selected-dst";
    private static final String META = "selected-meta";
    private static final int SHARE = 16;
    private static final int WRITTEN_AT_ONCE = 500;

    @BeforeAll
    void buckets() {
        for (String bucket : List.of(SOURCE, TARGET, META)) {
            documents.catalog().createBucket(bucket, 1).join();
        }
    }

    private static ObjectNode definition(String name, String code) {
        ObjectNode definition = JSON.createObjectNode().put("appname", name).put("appcode", code);
        ObjectNode bindings = definition.putObject("depcfg");
        bindings.put("source_bucket", SOURCE).put("metadata_bucket", META);
        bindings.putArray("buckets")
                .addObject()
                .put("alias", "dst")
                .put("bucket_name", TARGET)
                .put("access", "rw");
        definition.putObject("settings").put("worker_count", 1).put("dcp_stream_boundary", "from_now");
        return definition;
    }

    private CompletableFuture<WriteResult> put(String id, String json) {
        return documents.write(Write.upsert(key(id), json.getBytes(StandardCharsets.UTF_8)));
    }

    private static DocumentKey key(String id) {
        return new DocumentKey(Keyspace.of(SOURCE), id);
    }

    @Test
    void filter_leavesOutChangesAndCountsThem() {
        ObjectNode definition = definition("filtered", """
            function OnUpdate(doc, meta) { dst['filtered ' + meta.id] = doc; }
            function OnDelete(meta) { dst['deleted ' + meta.id] = true; }
            """);
        String filter = "META().id LIKE \"p%\" AND type = \"order\" AND total > 100";
        ((ObjectNode) definition.get("settings")).put("filter", filter);
        deploy("filtered", definition);
        put("q1", "{\"type\":\"order\",\"total\":150}").join();
        put("p1", "{\"type\":\"order\",\"total\":50}").join();
        put("p2", "{\"type\":\"refund\",\"total\":150}").join();
        put("p3", "{\"type\":\"order\",\"total\":150}").join();
        awaitDocument(TARGET, "filtered p3");

        put("p3", "{\"type\":\"order\",\"total\":60}").join();
        awaitCount("dcp_mutation_unmatched_counter", 4);
        documents.write(Write.remove(key("q1"))).join();
        awaitCount("dcp_deletion_unmatched_counter", 1);
        documents.write(Write.remove(key("p1"))).join();
        awaitDocument(TARGET, "deleted p1");

        assertThat(handled("filtered")).containsOnlyKeys("p3");
        assertThat(handled("deleted")).containsOnlyKeys("p1");
        assertThat(JSON.readTree(awaitDocument(TARGET, "filtered p3").body())
                        .path("total")
                        .asInt())
                .isEqualTo(150);
        awaitCount("filter_failure_counter", 0);
        await().atMost(PATIENCE).until(() -> statistic("filtered", "execution_stats", "on_update_success") == 1);
        undeploy("filtered");
    }

    private void awaitCount(String name, long count) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(statistic("filtered", "event_processing_stats", name))
                        .as(name)
                        .isEqualTo(count));
    }

    @Test
    void canaryThatFails_isRolledBackByItsRule_andEveryChangeIsHandledByOneVersion() {
        Trial trial = new Trial("fails");
        trial.begin("throw new Error('on purpose');", "{\"min_events\": 5}");

        assertThat(trial.writeUntilItsEnd().path("reason").asString())
                .startsWith("It failed on")
                .contains("100.0 %");
        List<String> before = List.copyOf(trial.written);
        trial.write();

        assertThat(trial.byCanary().keySet())
                .isNotEmpty()
                .isSubsetOf(before)
                .allMatch(id -> VBuckets.of(id) % (VBuckets.COUNT / SHARE) == 0);
        trial.assertOneVersionOfEach();
        trial.awaitCount("on_update_failure", trial.byCanary().size());
        trial.awaitCount("on_update_success", trial.byStable().size());
        undeploy("fails");
    }

    @Test
    void canaryThatDoesWell_isPromotedByItsRule_andEveryChangeIsHandledByOneVersion() {
        Trial trial = new Trial("does-well");
        trial.begin("", "{\"min_events\": 5, \"promote_after\": 0}");

        assertThat(trial.writeUntilItsEnd().path("state").asString()).isEqualTo("promoted");
        Set<String> before = trial.byStable().keySet();
        trial.write();

        assertThat(trial.byStable().keySet()).isNotEmpty().isEqualTo(before);
        trial.assertOneVersionOfEach();
        trial.awaitCount("on_update_success", trial.written.size());
        undeploy("does-well");
    }

    /** A function that counts how often each version of it has handled each document. */
    private final class Trial {

        private final String function;
        private final List<String> written = new ArrayList<>();

        Trial(String function) {
            this.function = function;
        }

        void begin(String more, String rule) {
            deploy(function, definition(function, code("stable", "")));
            ObjectNode canary =
                    JSON.createObjectNode().put("code", code("canary", more)).put("share", SHARE);
            canary.set("rule", JSON.readTree(rule));
            JsonNode begun = post("/api/v1/functions/" + function + "/canary", canary.toString());
            assertThat(begun.path("state").asString()).as(begun.toString()).isEqualTo("running");
            await().atMost(PATIENCE).until(this::hasWorkersOfCanary);
        }

        private String code(String version, String more) {
            return "function OnUpdate(doc, meta) { couchbase.increment(dst, {id: '%s %s ' + meta.id}); %s }"
                    .formatted(function, version, more);
        }

        private boolean hasWorkersOfCanary() {
            return text("/api/v1/stats/" + function + "?type=full").contains("worker_" + function + "_canary");
        }

        private JsonNode canary() {
            return JSON.readTree(text("/api/v1/functions/" + function + "/canary"));
        }

        /** Returns the canary when the node has taken its vbuckets back. */
        JsonNode writeUntilItsEnd() {
            while (canary().path("state").asString().equals("running")) {
                write();
            }
            await().atMost(PATIENCE).until(() -> !hasWorkersOfCanary());
            return canary();
        }

        /** Writes documents of all vbuckets, and waits until they are handled. */
        void write() {
            List<String> next = IntStream.range(written.size(), written.size() + WRITTEN_AT_ONCE)
                    .mapToObj(i -> function + i)
                    .toList();
            next.stream().map(id -> put(id, "{}")).toList().forEach(CompletableFuture::join);
            written.addAll(next);
            await().atMost(PATIENCE).until(() -> byCanary().size() + byStable().size() >= written.size());
        }

        Map<String, Integer> byCanary() {
            return handled(function + " canary");
        }

        Map<String, Integer> byStable() {
            return handled(function + " stable");
        }

        void assertOneVersionOfEach() {
            List<String> all = new ArrayList<>(byCanary().keySet());
            all.addAll(byStable().keySet());
            assertThat(all).containsExactlyInAnyOrderElementsOf(written);
            assertThat(byCanary().values()).as("how often").containsOnly(1);
            assertThat(byStable().values()).as("how often").containsOnly(1);
        }

        void awaitCount(String name, long count) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(statistic(function, "execution_stats", name))
                            .as(name)
                            .isEqualTo(count));
        }
    }

    /** Returns what is in the target under a prefix, with its member {@code count}. */
    private Map<String, Integer> handled(String prefix) {
        Map<String, Integer> found = new TreeMap<>();
        ChangePage page = new ChangePage(List.of(), 0, true);
        while (page.more()) {
            page = documents
                    .page(TARGET, 0, new ChangePage.Request(page.position(), false, 1000, true))
                    .join();
            page.mutations().forEach(mutation -> {
                Document document = mutation.document();
                if (document.key().id().startsWith(prefix + " ")) {
                    found.put(
                            document.key().id().substring(prefix.length() + 1),
                            JSON.readTree(document.body()).path("count").asInt());
                }
            });
        }
        return found;
    }
}

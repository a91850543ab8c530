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
    private static final String HANDLED = "couchbase.increment(dst, {id: '%s ' + meta.id});";

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

    private static String counting(String version) {
        return "function OnUpdate(doc, meta) { %s }".formatted(HANDLED.formatted(version));
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
        assertThat(statistic("filtered", "execution_stats", "on_update_success"))
                .isEqualTo(1);
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
        deploy("tried", definition("tried", counting("stable")));
        ObjectNode canary = JSON.createObjectNode()
                .put("code", """
            function OnUpdate(doc, meta) { %s throw new Error('on purpose'); }
            """.formatted(HANDLED.formatted("canary")))
                .put("share", SHARE);
        canary.putObject("rule").put("min_events", 5);
        JsonNode begun = post("/api/v1/functions/tried/canary", canary.toString());
        assertThat(begun.path("state").asString()).as(begun.toString()).isEqualTo("running");
        await().atMost(PATIENCE).until(() -> canary().has("canary"));

        List<String> written = new ArrayList<>();
        while (canary().path("state").asString().equals("running")) {
            write(written, 500);
            await().atMost(PATIENCE)
                    .until(() -> handled("canary").size() + handled("stable").size() == written.size());
        }
        assertThat(canary().path("reason").asString())
                .startsWith("It failed on")
                .contains("100.0 %");
        awaitOneVersion();
        List<String> before = List.copyOf(written);
        write(written, 500);
        await().atMost(PATIENCE)
                .until(() -> handled("canary").size() + handled("stable").size() == written.size());

        TreeMap<String, Integer> byCanary = handled("canary");
        TreeMap<String, Integer> byStable = handled("stable");
        assertThat(byCanary)
                .isNotEmpty()
                .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1));
        assertThat(byCanary.keySet())
                .isSubsetOf(before)
                .allMatch(id -> VBuckets.of(id) % (VBuckets.COUNT / SHARE) == 0);
        assertThat(byStable).allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1));
        assertThat(byStable.keySet()).doesNotContainAnyElementsOf(byCanary.keySet());
        assertThat(statistic("tried", "execution_stats", "on_update_failure")).isEqualTo(byCanary.size());
        assertThat(statistic("tried", "execution_stats", "on_update_success")).isEqualTo(byStable.size());
        undeploy("tried");
    }

    private JsonNode canary() {
        return JSON.readTree(text("/api/v1/functions/tried/canary"));
    }

    /** The node has taken the vbuckets back when no worker of the canary is left. */
    private void awaitOneVersion() {
        await().atMost(PATIENCE)
                .until(() -> !text("/api/v1/stats/tried?type=full").contains("worker_tried_canary"));
    }

    private void write(List<String> written, int count) {
        List<String> next = IntStream.range(written.size(), written.size() + count)
                .mapToObj(i -> "c" + i)
                .toList();
        next.stream().map(id -> put(id, "{}")).toList().forEach(CompletableFuture::join);
        written.addAll(next);
    }

    /** Returns what is in the target under a prefix, with its member {@code count}. */
    private TreeMap<String, Integer> handled(String prefix) {
        TreeMap<String, Integer> found = new TreeMap<>();
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

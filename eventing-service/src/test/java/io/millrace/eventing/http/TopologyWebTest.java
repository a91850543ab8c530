package io.millrace.eventing.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.Change;
import io.millrace.rebalance.topology.Order;
import io.millrace.rebalance.topology.TopologyChange;
import io.millrace.rebalance.topology.TopologyEntries;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the service says of the topology, and what it refuses while vbuckets move. */
class TopologyWebTest extends WebTest {

    @Test
    void node_withoutACluster_ownsEveryVbucket() {
        await().untilAsserted(() -> assertThat(get("/getOwnershipMap")
                        .json()
                        .path("planned")
                        .path("node-1")
                        .asString())
                .isEqualTo("0-1023"));
        assertThat(get("/getAggRebalanceStatus").text()).isEqualTo("false");
        assertThat(get("/getAggRebalanceProgress").json().path("tasks")).isEmpty();
        assertThat(get("/getRebalanceProgress").json()).isEmpty();
    }

    @Test
    void rebalance_forbidsDeploymentDeletionAndOtherKeyspacesOrWorkers() {
        post("/api/v1/functions/quiet", definition("quiet").toString()).ok();
        post("/api/v1/functions/runs", definition("runs").toString()).ok();
        post("/api/v1/functions/runs/deploy", null).ok();
        begin();

        post("/api/v1/functions/quiet/deploy", null).error(406, "ERR_REBALANCE_OR_FAILOVER_ONGOING", 36);
        delete("/api/v1/functions/quiet").error(406, "ERR_REBALANCE_OR_FAILOVER_ONGOING", 36);
        post("/api/v1/functions/quiet/settings", "{\"worker_count\": 7}")
                .error(406, "ERR_REBALANCE_OR_FAILOVER_ONGOING", 36);
        post("/api/v1/functions/quiet/settings", "{\"description\": \"may change\"}")
                .ok();
        post("/api/v1/functions/new", definition("new").toString()).ok();

        post("/api/v1/config", "{\"enable_lifecycle_ops_during_rebalance\": true}")
                .ok();
        delete("/api/v1/functions/quiet").ok();
    }

    @Test
    void change_isAnsweredByThisNode() {
        begin();

        await().untilAsserted(() -> {
            JsonNode task = get("/getAggRebalanceProgress").json().path("tasks").path(0);
            assertThat(task.path("type").asString()).isEqualTo("task-prepared");
            assertThat(task.path("id").asString()).isEqualTo("c1");
        });
    }

    @Test
    void vbucketsWithoutLivingOwner_areNamed() {
        create("f");
        deploy("f");
        follow(false);
        runtime.has(
                "f",
                Map.of(
                        "node-1", VbucketSet.range(0, 511),
                        "not-there", VbucketSet.range(512, 1000),
                        "-", VbucketSet.range(1001, 1010)));

        JsonNode owners = get("/getOwnershipMap").ok().json().at("/functions/f");

        assertThat(owners.path("owned").propertyNames()).containsExactly("-", "node-1", "not-there");
        assertThat(owners.path("unsettled").asString()).isEqualTo("1001-1023");
        assertThat(owners.path("ownerless").asString()).isEqualTo("512-1023");

        runtime.has("f", Map.of("node-1", VbucketSet.range(0, 600), "not-there", VbucketSet.range(601, 1023)));
        owners = get("/getOwnershipMap").ok().json().at("/functions/f");
        assertThat(owners.path("unsettled").asString()).isEqualTo("512-600");
        assertThat(owners.path("ownerless").asString()).isEqualTo("601-1023");
    }

    @Test
    void surplusAfterACancelledChange_isNotPending() {
        create("f");
        deploy("f");
        runtime.has("f", VbucketSet.range(10, 600));
        follow(false);
        assertThat(get("/getRebalanceProgress")
                        .ok()
                        .json()
                        .at("/f/close_stream_vbs_len")
                        .asInt())
                .isEqualTo(89);

        follow(true);

        JsonNode share = get("/getRebalanceProgress").ok().json().path("f");
        assertThat(share.path("close_stream_vbs_len").asInt()).isZero();
        assertThat(share.path("stream_req_vbs_len").asInt()).isEqualTo(10);
        assertThat(share.path("vbs_remaining_to_shuffle").asInt()).isEqualTo(10);
        assertThat(share.path("vbs_waiting_for").asString()).isEqualTo("0-9");
    }

    /** Makes the node follow a layout in which it shares with one that is not there. */
    private void follow(boolean frozen) {
        TreeSet<String> nodes = new TreeSet<>(List.of("node-1", "not-there"));
        var layout = new Layout("l-" + frozen, nodes, nodes, frozen, new TreeMap<>());
        write(new Order.PutLayout(layout, null));
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(
                                get("/getOwnershipMap").json().path("layout").asString())
                        .isEqualTo("l-" + frozen));
    }

    private void write(Order order) {
        var entry = TopologyEntries.write(order);
        metakv.set(entry.path(), requireNonNull(entry.value())).block();
    }

    private void begin() {
        TreeSet<String> nodes = new TreeSet<>(List.of("node-1", "node-2"));
        var message = TopologyChange.of("c1", "", TopologyChange.Type.REBALANCE, nodes, new TreeSet<>());
        var change = new Change(message, Change.Phase.PREPARE, "", false, "", 0, new TreeMap<>(), new TreeSet<>());
        write(new Order.PutChange(change, null));
        await().untilAsserted(
                        () -> assertThat(get("/getAggRebalanceStatus").text()).isEqualTo("true"));
    }
}

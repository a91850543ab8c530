package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.couchbase.client.core.error.EventingFunctionNotFoundException;
import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.kv.MutateInMacro;
import com.couchbase.client.java.kv.MutateInSpec;
import com.couchbase.client.java.manager.eventing.EventingFunction;
import com.couchbase.client.java.manager.eventing.EventingFunctionKeyspace;
import com.couchbase.client.java.manager.eventing.EventingFunctionManager;
import com.couchbase.client.java.manager.eventing.EventingFunctionStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Functions whose source is written by an unmodified Couchbase SDK. */
class SdkIT {

    private static final Duration READY = Duration.ofSeconds(60);

    private final Api api = new Api(RunningSuite.gateway());
    private final Cluster cluster =
            Cluster.connect(RunningSuite.get().sdkUrl(), "Administrator", BuiltSuite.ADMIN_PASSWORD);

    @AfterEach
    void close() {
        cluster.disconnect();
        api.close();
    }

    private Collection bucket(String name) {
        Bucket bucket = cluster.bucket(name);
        bucket.waitUntilReady(READY);
        return bucket.defaultCollection();
    }

    private void awaitInvocations(String function, int updates, int deletes) {
        await().atMost(Api.PATIENCE).untilAsserted(() -> {
            assertThat(api.counter(function, "execution_stats", "on_update_success"))
                    .isEqualTo(updates);
            assertThat(api.counter(function, "execution_stats", "on_delete_success"))
                    .isEqualTo(deletes);
        });
    }

    @Test
    void function_firesForEveryKindOfChange() {
        api.bucket("sdk-orders");
        api.bucket("sdk-seen");
        api.bucket("sdk-meta");
        String code = """
                function OnUpdate(doc, meta) { seen[meta.id] = {quantity: doc.quantity}; }
                function OnDelete(meta) { delete seen[meta.id]; }""";
        api.deploy("sdk_orders", """
                {"appname": "sdk_orders", "appcode": "%s",
                 "depcfg": {"buckets": [{"alias": "seen", "bucket_name": "sdk-seen", "access": "rw"}],
                            "metadata_bucket": "sdk-meta", "source_bucket": "sdk-orders"},
                 "settings": {"dcp_stream_boundary": "everything"}}""".formatted(code.replace("\n", "\\n")));
        Collection orders = bucket("sdk-orders");
        Collection seen = bucket("sdk-seen");

        orders.upsert("1", JsonObject.create().put("quantity", 1));
        awaitInvocations("sdk_orders", 1, 0);
        orders.mutateIn("1", List.of(MutateInSpec.increment("quantity", 4)));
        awaitInvocations("sdk_orders", 2, 0);
        assertThat(seen.get("1").contentAsObject().getInt("quantity")).isEqualTo(5);
        orders.mutateIn(
                "1",
                List.of(MutateInSpec.upsert("audit.cas", MutateInMacro.CAS)
                        .xattr()
                        .createPath()));
        awaitInvocations("sdk_orders", 3, 0);
        assertThat(orders.get("1").contentAsObject().getInt("quantity")).isEqualTo(5);
        orders.remove("1");

        awaitInvocations("sdk_orders", 3, 1);
        await().atMost(Api.PATIENCE).until(() -> !seen.exists("1").exists());
        api.undeploy("sdk_orders");
    }

    @Test
    void functions_areManagedWithTheLoginOfTheSdk() {
        api.bucket("sdk-managed");
        api.bucket("sdk-meta");
        EventingFunctionManager functions = cluster.eventingFunctions();
        EventingFunction managed = EventingFunction.builder(
                        "sdk_managed",
                        "function OnUpdate(doc, meta) {}",
                        EventingFunctionKeyspace.create("sdk-managed"),
                        EventingFunctionKeyspace.create("sdk-meta"))
                .build();

        functions.upsertFunction(managed);
        functions.deployFunction("sdk_managed");
        await().atMost(Api.PATIENCE).until(() -> status("sdk_managed") == EventingFunctionStatus.DEPLOYED);
        functions.pauseFunction("sdk_managed");
        await().atMost(Api.PATIENCE).until(() -> status("sdk_managed") == EventingFunctionStatus.PAUSED);
        functions.resumeFunction("sdk_managed");
        await().atMost(Api.PATIENCE).until(() -> status("sdk_managed") == EventingFunctionStatus.DEPLOYED);
        functions.undeployFunction("sdk_managed");
        await().atMost(Api.PATIENCE).until(() -> status("sdk_managed") == EventingFunctionStatus.UNDEPLOYED);

        assertThat(functions.getFunction("sdk_managed").code()).contains("OnUpdate");
        assertThat(functions.getAllFunctions())
                .extracting(EventingFunction::name)
                .contains("sdk_managed");
        functions.dropFunction("sdk_managed");
        assertThatThrownBy(() -> functions.getFunction("sdk_managed"))
                .isInstanceOf(EventingFunctionNotFoundException.class);
    }

    private EventingFunctionStatus status(String function) {
        return cluster.eventingFunctions().functionsStatus().functions().stream()
                .filter(one -> one.name().equals(function))
                .findAny()
                .orElseThrow()
                .status();
    }

    @Test
    void ownWrites_areSuppressed_untilAClientWritesTheDocument() {
        api.bucket("sdk-own");
        api.bucket("sdk-meta");
        api.deploy("sdk_own", """
                {"appname": "sdk_own",
                 "appcode": "function OnUpdate(doc, meta) { if (!meta.id.endsWith('-copy')) own[meta.id + '-copy'] = doc; }",
                 "depcfg": {"buckets": [{"alias": "own", "bucket_name": "sdk-own", "access": "rw"}],
                            "metadata_bucket": "sdk-meta", "source_bucket": "sdk-own"},
                 "settings": {"dcp_stream_boundary": "everything"}}""");
        Collection own = bucket("sdk-own");

        own.upsert("a", JsonObject.create().put("n", 1));
        await().atMost(Api.PATIENCE).until(() -> own.exists("a-copy").exists());
        own.upsert("b", JsonObject.create().put("n", 2));
        await().atMost(Api.PATIENCE).until(() -> own.exists("b-copy").exists());
        awaitInvocations("sdk_own", 2, 0);

        own.mutateIn("a-copy", List.of(MutateInSpec.upsert("n", 3)));
        awaitInvocations("sdk_own", 3, 0);
        own.mutateIn("b-copy", List.of(MutateInSpec.upsert("mark", true).xattr()));
        awaitInvocations("sdk_own", 4, 0);
        api.undeploy("sdk_own");
    }
}

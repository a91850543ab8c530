package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.versions.Staged;
import io.millrace.eventing.versions.Version;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StoredFunctionTest {

    @Test
    void everyPart_survivesWritingAndReading() {
        ObjectNode json = SampleDefinitions.json("f");
        json.set("function_scope", SampleDefinitions.parse("{\"bucket\": \"b\", \"scope\": \"s\"}"));
        json.set("depcfg", SampleDefinitions.parse("""
            {"source_bucket": "b", "source_scope": "*", "source_collection": "*",
             "metadata_bucket": "m", "metadata_scope": "s", "metadata_collection": "c",
             "buckets": [{"alias": "a", "bucket_name": "x", "scope_name": "y", "collection_name": "*", "access": "r"}],
             "curl": [{"hostname": "https://example.org/x", "value": "web", "auth_type": "basic", "username": "u",
                       "password": "p", "bearer_key": "", "allow_cookies": true, "validate_ssl_certificate": true}],
             "constants": [{"value": "answer", "literal": "42"}]}\
            """));
        json.set(
                "settings",
                SampleDefinitions.parse(
                        "{\"worker_count\": 4, \"handler_footers\": [\"// end\"], \"worker_queue_cap\": 99,"
                                + " \"cursor_aware\": true}"));
        FunctionDefinition first = SampleDefinitions.read(json).withIds(7, "i");

        Version version = new Version(7, Instant.EPOCH, "alice", "because");
        Staged staged = new Staged(first.withCode("function OnDelete() {}"), version, null);
        StoredFunction stored =
                new StoredFunction(first, new FunctionState.Deployed(Instant.EPOCH), null, version, staged);
        StoredFunction again = StoredFunction.fromBytes(stored.toBytes());

        assertThat(again).isEqualTo(stored);
    }
}

package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.versions.Author;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Bindings to topics of Kafka, and sources that are such, reach clusters that the operator has named. */
class KafkaClusterTest extends ReconcilerNodes {

    private static ObjectNode sends(String cluster) {
        ObjectNode json = SampleDefinitions.json("g");
        ((ObjectNode) json.get("depcfg"))
                .putArray("topics")
                .addObject()
                .put("value", "orders")
                .put("kind", "kafka")
                .put("cluster", cluster)
                .put("topic", "paid");
        return json;
    }

    private void save(String cluster) {
        node.definitions.save(sends(cluster), null, false, Author.of(Subject.open()));
    }

    private void name(String cluster) throws IOException {
        Files.writeString(directory.resolve(cluster + ".properties"), "sasl.jaas.config=secret");
    }

    @Test
    void unknownCluster_isRefusedWithTheKnownOnes() throws IOException {
        assertThatThrownBy(() -> save("shop"))
                .isInstanceOf(FunctionsException.class)
                .hasMessage(
                        "There is no Kafka cluster 'shop'. None is known; ask the operator to put shop.properties into MILLRACE_KAFKA_CLUSTERS of each eventing node.");

        name("stock");
        name("audit");
        assertThatThrownBy(() -> save("shop"))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("There is no Kafka cluster 'shop'. Use one of audit, stock, or ask the operator")
                .hasMessageNotContaining("secret");
        assertThat(node.store.find(FunctionName.of("g"))).isEmpty();
    }

    @Test
    void clusterThatIsGone_isRefusedWhenDeployed() throws IOException {
        name("shop");
        save("shop");
        Files.delete(directory.resolve("shop.properties"));

        assertThatThrownBy(() -> node.lifecycle.deploy(FunctionName.of("g")))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("There is no Kafka cluster 'shop'");
    }

    @Test
    void sourceInACluster_needsItsFile_andIsPassedToTheRuntime() throws IOException {
        ObjectNode json = SampleDefinitions.json("g").put("appcode", "function OnMessage(message, meta) {}");
        ((ObjectNode) json.get("depcfg"))
                .put("source_cluster", "shop")
                .put("source_topic", "paid")
                .remove("source_bucket");
        assertThatThrownBy(() -> node.definitions.save(json, null, false, Author.of(Subject.open())))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("There is no Kafka cluster 'shop'");

        name("shop");
        node.definitions.save(json, null, false, Author.of(Subject.open()));
        node.lifecycle.deploy(FunctionName.of("g"));
        node.awaitStatus("g", "deployed");

        assertThat(node.runtime.spec("g").orElseThrow().source().cluster()).isEqualTo("shop");
    }

    @Test
    void knownCluster_isPassedToTheWorker() throws IOException {
        name("shop");
        save("shop");
        node.lifecycle.deploy(FunctionName.of("g"));
        node.awaitStatus("g", "deployed");

        assertThat(node.runtime.spec("g").orElseThrow().handler().topics())
                .containsExactly(new Topic("orders", Topic.Kind.KAFKA, "shop", "paid", 100_000));
    }
}

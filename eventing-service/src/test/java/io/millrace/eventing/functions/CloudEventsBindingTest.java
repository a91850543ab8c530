package io.millrace.eventing.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.access.Subject;
import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.SampleDefinitions;
import io.millrace.eventing.secrets.SecretStore;
import io.millrace.eventing.versions.Author;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Bindings that send CloudEvents, and the secrets that sign them. */
class CloudEventsBindingTest extends ReconcilerNodes {

    private static final String SHOP = "https://shop.example";
    private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private void save() {
        ObjectNode json = SampleDefinitions.json("g");
        ObjectNode depcfg = (ObjectNode) json.get("depcfg");
        depcfg.putArray("curl").addObject().put("value", "shop").put("hostname", SHOP + "/events");
        depcfg.putArray("topics")
                .addObject()
                .put("value", "orders")
                .put("kind", "cloudevents")
                .put("topic", "com.example.paid")
                .put("url", "shop")
                .put("signing_secret", "key");
        node.definitions.save(json, null, false, Author.of(Subject.open()));
    }

    private void keep(String url, String value) {
        SecretStore.on(metakv, MASTER_KEY, clock).put("key", url, value).block(PATIENCE);
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> node.lifecycle.deploy(FunctionName.of("g")))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("Topic binding 'orders'")
                .hasMessageContaining(why)
                .hasMessageNotContaining("MfKQ9r8G");
    }

    @Test
    void secret_isPassedToTheWorker_andShownByItsNameAlone() {
        keep(SHOP, KEY);
        save();
        node.lifecycle.deploy(FunctionName.of("g"));
        node.awaitStatus("g", "deployed");

        Topic topic = node.runtime.spec("g").orElseThrow().handler().topics().getFirst();
        assertThat(topic)
                .isEqualTo(new Topic("orders", Topic.Kind.CLOUDEVENTS, "", "com.example.paid", 100_000, "shop", KEY));
        assertThat(topic.toString()).doesNotContain("MfKQ9r8G");
        assertThat(DefinitionWriter.deployment(
                                node.store
                                        .find(FunctionName.of("g"))
                                        .orElseThrow()
                                        .definition()
                                        .deployment(),
                                DefinitionWriter.Secrets.MASKED)
                        .toString())
                .contains("\"signing_secret\":\"key\"")
                .doesNotContain("MfKQ9r8G");
    }

    @Test
    void secretThatIsMissing_isRefused() {
        save();

        assertRefused("key");
    }

    @Test
    void secretOfAnotherServer_isRefused() {
        keep("https://other.example", KEY);
        save();

        assertRefused("https://other.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa", "whsec_MfKQ9r8G!"})
    void secretThatCannotSign_isRefused(String value) {
        keep(SHOP, value);
        save();

        assertRefused("the secret 'key' cannot sign; its value must be whsec_ and the Base64 of 24 to 64 random bytes");
    }
}

package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExamplesTest {

    private static final Path ORDERS = Repository.ROOT.resolve("examples/orders");

    @Test
    void priceOrders_asADefinition_hasTheCodeOfTheScript() {
        JsonNode definition = JsonMapper.shared().readTree(Repository.read(ORDERS.resolve("price_orders.json")));

        assertThat(definition.path("appcode").asString(""))
                .isEqualTo(Repository.read(ORDERS.resolve("price_orders.js")));
    }
}

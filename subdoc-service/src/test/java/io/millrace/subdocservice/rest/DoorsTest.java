package io.millrace.subdocservice.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.accessspring.DeclaredRoutes;
import io.millrace.subdocservice.SubdocService;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;

/** Every route has a door, and every door a route. */
@SpringBootTest(
        classes = SubdocService.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "millrace.kv.port=0")
@AutoConfigureWebTestClient(timeout = "60s")
@Import(OpenApiTest.Memory.class)
class DoorsTest {

    @Autowired
    private ApplicationContext context;

    @Test
    void everyRoute_saysWhatItNeeds() {
        assertThat(DeclaredRoutes.withoutDoor(context))
                .as("routes other than those that only say 404 or 405")
                .allMatch(route -> route.startsWith("ANY /api/v1/"));
        assertThat(DeclaredRoutes.withoutRoute(context)).isEmpty();
    }

    @Test
    void aDocument_isComparedWithFewRoutes() {
        List<Object> routers =
                context.getBeanProvider(RouterFunction.class).orderedStream().collect(Collectors.toList());

        assertThat(context.getBean(DispatcherHandler.class).getHandlerMappings())
                .first()
                .isInstanceOf(RouterFunctionMapping.class);
        assertThat(routers.indexOf(context.getBean("router"))).isLessThan(routers.indexOf(context.getBean("pools")));
    }
}

package io.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.accessspring.DeclaredRoutes;
import io.millrace.gateway.proxy.ForwardedPaths;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

/** Every route has a door, and every door a route. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class DoorsTest {

    @Autowired
    private ApplicationContext context;

    @Test
    void everyRoute_saysWhatItNeeds() {
        assertThat(DeclaredRoutes.withoutDoor(context)).isEmpty();
        assertThat(DeclaredRoutes.withoutRoute(context))
                .isSubsetOf(
                        ForwardedPaths.all().stream().map(path -> "ANY " + path).toList());
    }
}

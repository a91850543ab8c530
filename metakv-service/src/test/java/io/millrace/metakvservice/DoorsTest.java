package io.millrace.metakvservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.accessspring.DeclaredRoutes;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

/** Every route has a door, and every door a route. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class DoorsTest {

    @Autowired
    private ApplicationContext context;

    @Test
    void everyRoute_saysWhatItNeeds() {
        assertThat(DeclaredRoutes.withoutDoor(context)).isEmpty();
        assertThat(DeclaredRoutes.withoutRoute(context)).isEmpty();
    }
}

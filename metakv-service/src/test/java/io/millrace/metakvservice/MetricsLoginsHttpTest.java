package io.millrace.metakvservice;

import io.millrace.accessspring.MetricsLoginsContract;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvEntries;
import java.net.URI;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/** This service finds its users in its own entries, which other services write. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class MetricsLoginsHttpTest implements MetricsLoginsContract {

    @LocalServerPort
    private int port;

    @Override
    public MetakvEntries entries() {
        return MetakvClient.httpForSecrets(URI.create("http://127.0.0.1:" + port), "test");
    }

    @Override
    public int port() {
        return port;
    }
}

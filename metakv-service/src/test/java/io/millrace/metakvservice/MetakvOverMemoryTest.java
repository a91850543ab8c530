package io.millrace.metakvservice;

import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvContract;
import java.net.URI;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/** The contract through the client and the service, with the documents in memory. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class MetakvOverMemoryTest extends MetakvContract {

    @LocalServerPort
    private int port;

    @Override
    protected MetakvClient metakv() {
        return MetakvClient.http(URI.create("http://127.0.0.1:" + port));
    }
}

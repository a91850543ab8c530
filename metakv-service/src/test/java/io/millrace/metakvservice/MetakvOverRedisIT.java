package io.millrace.metakvservice;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.RedisKit;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvContract;
import java.net.URI;
import java.time.InstantSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

/** The contract through the client, the service and Redis. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class MetakvOverRedisIT extends MetakvContract {

    @TestConfiguration(proxyBeanMethods = false)
    static class Store {
        @Bean
        DocumentStore documentStore() {
            return RedisKit.shared().store(InstantSource.system());
        }
    }

    @LocalServerPort
    private int port;

    @Override
    protected MetakvClient metakv() {
        return MetakvClient.http(URI.create("http://127.0.0.1:" + port));
    }
}

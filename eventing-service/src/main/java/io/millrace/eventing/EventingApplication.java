package io.millrace.eventing;

import io.millrace.accessspring.ClusterIdentity;
import io.millrace.metakv.MetakvClient;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Contact;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import java.net.URI;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Starts the eventing service. */
@SpringBootApplication(proxyBeanMethods = false)
class EventingApplication {

    public static void main(String[] args) {
        SpringApplication.run(EventingApplication.class, args);
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    MetakvClient metakvClient(@Value("${millrace.metakv.url}") URI url, ClusterIdentity identity) {
        return MetakvClient.http(url, "eventing-service", identity::headers);
    }

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("Millrace functions")
                        .version("v1")
                        .description(
                                "Functions that run on document changes: definitions, lifecycle, status, statistics and"
                                        + " logs. Paths, bodies and errors are those of Couchbase Eventing. Timers, dead"
                                        + " letters and the log stream are Millrace's own; their errors are problem"
                                        + " details (RFC 9457).")
                        .contact(new Contact().name("Millrace"))
                        .license(new License().name("Apache-2.0").identifier("Apache-2.0")));
    }
}

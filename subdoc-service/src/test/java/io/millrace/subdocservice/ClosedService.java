package io.millrace.subdocservice;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.metakv.MetakvClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The service with documents and configuration in memory, whose gate lets in who has a login, unlike that of other tests. */
public final class ClosedService {

    private ClosedService() {}

    /** Not a configuration, which the service would find in every test. */
    static class Memory {

        @Bean
        @Primary
        DocumentStore documents() {
            return new MemoryDocumentStore(InstantSource.system());
        }

        @Bean
        MetakvClient metakv() {
            return MetakvClient.inMemory();
        }
    }

    /**
     * Starts it on free ports.
     *
     * @param directory for the secret of its cluster
     * @param settings arguments such as {@code --name=value}
     */
    public static ConfigurableApplicationContext start(Path directory, String... settings) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789".repeat(4));
        Stream<String> own = Stream.of(
                "--server.port=0",
                "--millrace.kv.port=0",
                "--spring.autoconfigure.exclude=io.millrace.accessspring.TestCaller",
                "--millrace.access.cluster-secret-file=" + secret);
        return new SpringApplicationBuilder(SubdocService.class, Memory.class)
                .run(Stream.concat(own, Stream.of(settings)).toArray(String[]::new));
    }
}

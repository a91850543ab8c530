package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.metakv.MetakvClient;
import io.millrace.subdocservice.SubdocService;
import io.millrace.testkit.NodePackages;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** PouchDB logs in to the closed service with a cookie, where Node and npm are installed. */
class PouchLoginIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path directory;

    @Configuration(proxyBeanMethods = false)
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

    @Test
    void pouchDb_logsInByCookie() throws Exception {
        Optional<Path> clients = NodePackages.install(
                Path.of("src/test/clients"), Path.of("target/clients"), "PouchDB against the closed service");
        if (clients.isEmpty()) {
            return;
        }
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789".repeat(4));

        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(SubdocService.class, Memory.class)
                .run(
                        "--server.port=0",
                        "--millrace.kv.port=0",
                        "--spring.autoconfigure.exclude=io.millrace.accessspring.TestCaller",
                        "--millrace.access.cluster-secret-file=" + secret)) {
            UserDirectory users = service.getBean(UserDirectory.class);
            await().atMost(PATIENCE).until(users::ready);
            users.save(User.create("ann", "Ann", List.of(Role.ADMIN), "right horse"))
                    .block(PATIENCE);
            await().atMost(PATIENCE).until(() -> users.find("ann").isPresent());
            String url = "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port") + "/couch/";

            Path output = directory.resolve("output");
            Process process = new ProcessBuilder(
                            "node", "login.js", url, CouchKit.newName() + "-", "ann", "right horse")
                    .directory(clients.get().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            process.destroyForcibly();

            assertThat(ended).as(Files.readString(output)).isTrue();
            assertThat(Files.readString(output).strip()).endsWith("done");
            assertThat(process.exitValue()).isZero();
        }
    }
}

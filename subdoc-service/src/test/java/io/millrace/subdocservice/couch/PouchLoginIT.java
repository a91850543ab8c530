package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.access.Role;
import io.millrace.subdocservice.ClosedService;
import io.millrace.testkit.NodePackages;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** PouchDB logs in to the closed service, with a cookie and from another origin, where Node and npm are installed. */
class PouchLoginIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ORIGIN = "https://app.example";
    private static final String PASSWORD = "right horse";

    @TempDir
    private static Path directory;

    private static ConfigurableApplicationContext service;

    @BeforeAll
    static void start() throws IOException {
        service = ClosedService.start(directory, "--millrace.web.cors-origins=" + ORIGIN);
        UserDirectory users = service.getBean(UserDirectory.class);
        await().atMost(PATIENCE).until(users::ready);
        users.save(User.create("ann", "Ann", List.of(Role.ADMIN), PASSWORD)).block(PATIENCE);
        await().atMost(PATIENCE).until(() -> users.find("ann").isPresent());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void pouchDb_logsInByCookie() throws Exception {
        runs("login.js");
    }

    @Test
    void pouchDb_ofAnAdmittedOrigin_logsInWithItsPassword_andNoOtherOriginDoes() throws Exception {
        runs("cors.js", ORIGIN, "http://evil.example");
    }

    private static void runs(String script, String... more) throws Exception {
        Optional<Path> clients = NodePackages.install(
                Path.of("src/test/clients"), Path.of("target/clients"), "PouchDB against the closed service");
        if (clients.isEmpty()) {
            return;
        }
        String url = "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port") + "/couch/";
        List<String> command = new ArrayList<>(List.of("node", script, url, CouchKit.newName() + "-", "ann", PASSWORD));
        command.addAll(List.of(more));
        Path output = directory.resolve(script + ".output");
        Process process = new ProcessBuilder(command)
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

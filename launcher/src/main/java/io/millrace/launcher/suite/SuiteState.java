package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a data directory says about the suite that uses it: how commands find a running suite, whatever its ports are.
 *
 * @param pid the process that runs the suite
 * @param since when the suite was started
 * @param ready whether every service has been ready
 * @param services the URLs by name of the service
 * @param sdk the connection string for Couchbase SDKs
 * @param redis the URL of Redis, without its password
 * @param logs the directory of the logs
 */
public record SuiteState(
        long pid, Instant since, boolean ready, Map<String, URI> services, String sdk, String redis, Path logs) {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String FILE = "suite.json";

    /** Returns the state of the suite that uses a data directory now, or empty if none does. */
    public static Optional<SuiteState> find(Path data) {
        try {
            String text = Files.readString(data.resolve(FILE));
            if (text.isBlank()) {
                return Optional.empty(); // the machine has crashed since
            }
            JsonNode json = MAPPER.readTree(text);
            return isOf(data, json) ? Optional.of(read(json)).filter(SuiteState::isAlive) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | JacksonException e) {
            throw new LauncherException(
                    "Cannot read " + data.resolve(FILE) + ", which describes the running suite: " + e.getMessage(), e);
        }
    }

    public URI gateway() {
        return url(Service.GATEWAY);
    }

    /** Returns the URL of a service. */
    public URI url(Service service) {
        URI url = services.get(service.moduleName());
        if (url == null) {
            throw new LauncherException("The state of the running suite does not name " + service.moduleName());
        }
        return url;
    }

    /** Writes the state; a reader sees all of it or the one before. */
    void write(Path data) throws IOException {
        ObjectNode json = MAPPER.createObjectNode()
                .put("pid", pid)
                .put("data", data.toRealPath().toString())
                .put("since", since.toString())
                .put("ready", ready);
        ObjectNode urls = json.putObject("services");
        services.forEach((name, url) -> urls.put(name, url.toString()));
        json.put("sdk", sdk).put("redis", redis).put("logs", logs.toString());
        Path written = Files.writeString(data.resolve(FILE + ".new"), json + "\n");
        Files.move(written, data.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns whether a suite that used a data directory has left its state there, as one does that is killed. */
    static boolean isLeftIn(Path data) {
        try {
            return isOf(data, MAPPER.readTree(Files.readString(data.resolve(FILE))));
        } catch (IOException | JacksonException e) {
            return false;
        }
    }

    static void delete(Path data) throws IOException {
        Files.deleteIfExists(data.resolve(FILE));
    }

    /** A copy of a data directory has the state of the suite that uses the original. */
    private static boolean isOf(Path data, JsonNode json) throws IOException {
        String own = data.toRealPath().toString();
        return own.equals(json.path("data").asString(own));
    }

    private static SuiteState read(JsonNode json) {
        Map<String, URI> services = new LinkedHashMap<>();
        json.path("services").forEachEntry((name, url) -> services.put(name, URI.create(url.asString())));
        return new SuiteState(
                json.path("pid").asLong(),
                Instant.parse(json.path("since").asString()),
                json.path("ready").asBoolean(),
                services,
                json.path("sdk").asString(),
                json.path("redis").asString(),
                Path.of(json.path("logs").asString()));
    }

    /** A process id may belong to another program by now, which then started after the suite. */
    private boolean isAlive() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().startInstant())
                .filter(start -> !start.isAfter(since.plusSeconds(1)))
                .isPresent();
    }
}

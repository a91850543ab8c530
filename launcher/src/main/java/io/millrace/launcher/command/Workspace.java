package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.gateway.Login;
import io.millrace.launcher.suite.AdministratorLogin;
import io.millrace.launcher.suite.Service;
import io.millrace.launcher.suite.SuiteState;
import io.millrace.launcher.tls.LocalCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a command works with: the tree or the unpacked distribution that it belongs to, the environment, and the way to the
 * running suite. Every command takes its HTTP client from {@link #connect()}.
 */
final class Workspace {

    private static final String URL_VARIABLE = "MILLRACE_URL";
    private static final String LOGIN_VARIABLE = "MILLRACE_LOGIN";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final Path root;
    private final Map<String, String> environment;

    Workspace(Path root, Map<String, String> environment) {
        this.root = root.toAbsolutePath().normalize();
        this.environment = Map.copyOf(environment);
    }

    /** Returns the workspace at the system property millrace.root. */
    static Workspace ofProcess() {
        return new Workspace(Path.of(System.getProperty("millrace.root", ".")), System.getenv());
    }

    /** Whether this is an unpacked distribution and not a source tree. */
    boolean isDistribution() {
        return Files.isDirectory(root.resolve("lib/services"));
    }

    Map<String, String> environment() {
        return environment;
    }

    Path root() {
        return root;
    }

    /** The directory that the programs run from; a test sets another one, so that it does not disturb a running suite. */
    Path home() {
        return root.resolve(System.getProperty("millrace.home", ".millrace/run"));
    }

    /** Returns the directory of the worker. */
    Path workerHome() {
        return root.resolve(isDistribution() ? "lib/worker" : "eventing-worker/target/worker");
    }

    Path data() {
        String data = given("MILLRACE_DATA");
        return root.resolve(data == null ? "data" : data);
    }

    Path logs() {
        String logs = given("MILLRACE_LOG_DIR");
        return root.resolve(logs == null ? "logs" : logs);
    }

    /** Returns a variable of the environment, or null if it is absent or blank. */
    @Nullable
    String given(String variable) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** Returns a variable that holds a port, or null if it is absent. */
    @Nullable
    Integer port(String variable) {
        String text = given(variable);
        if (text == null) {
            return null;
        }
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new LauncherException(variable + " is not a valid port: " + text + "; use a number from 0 to 65535");
    }

    /** Returns a client for the running suite. */
    GatewayClient connect() {
        return connect(gateway());
    }

    /** Returns a client for the suite at a URL. */
    GatewayClient connect(URI url) {
        Login login = login(url).orElse(null);
        return new GatewayClient(url, login, authority(url, login));
    }

    /** The authority of the data directory speaks for this machine only. */
    private @Nullable Path authority(URI url, @Nullable Login login) {
        if (login != null && login.authority() != null) {
            return login.authority();
        }
        return LOOPBACK.contains(url.getHost())
                ? LocalCertificate.find(data()).map(LocalCertificate::authority).orElse(null)
                : null;
    }

    /** Returns the file with the login of commands: the named one, or that of the data directory. */
    Path loginFile() {
        String named = given(LOGIN_VARIABLE);
        return named == null ? AdministratorLogin.file(data()) : root.resolve(named);
    }

    /** The login of the data directory is not sent to other machines. */
    private Optional<Login> login(URI url) {
        if (given(LOGIN_VARIABLE) != null) {
            return Optional.of(Login.read(loginFile())
                    .orElseThrow(() -> new LauncherException(
                            LOGIN_VARIABLE + " names " + loginFile() + ", which does not exist")));
        }
        return LOOPBACK.contains(url.getHost()) ? Login.read(loginFile()) : Optional.empty();
    }

    /** Returns the URL of the gateway: as the environment says, or where the suite of the data directory is, or the default. */
    URI gateway() {
        String url = given(URL_VARIABLE);
        if (url != null) {
            return httpUrl(url);
        }
        Integer port = port(Service.GATEWAY.portVariable());
        Optional<URI> running = running().map(SuiteState::gateway);
        return port == null
                ? running.orElseGet(() -> local(Service.GATEWAY.defaultPort()))
                : running.filter(known -> known.getPort() == port).orElseGet(() -> local(port));
    }

    private static URI httpUrl(String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() != null && List.of("http", "https").contains(url.getScheme())) {
                return url;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw new LauncherException(
                URL_VARIABLE + " is not a valid URL: " + text + "; use for example http://127.0.0.1:8080");
    }

    /** Returns the suite that uses the data directory now. */
    Optional<SuiteState> running() {
        return SuiteState.find(data());
    }

    private static URI local(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Creates a directory for files that a command deletes when it ends. */
    Path scratch(String name) {
        try {
            Path parent = Files.createDirectories(root.resolve(".millrace"));
            return Files.createTempDirectory(parent, name + "-");
        } catch (IOException e) {
            throw new LauncherException("Cannot create a directory for " + name + " below " + root, e);
        }
    }
}

package io.millrace.launcher.suite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** With which command line and environment the processes of a suite are started. */
final class ServicePrograms {

    private final SuiteSettings settings;

    ServicePrograms(SuiteSettings settings) {
        this.settings = settings;
    }

    /** Returns the command line that runs all services in one process. */
    List<String> commandForAll() {
        List<String> program = new ArrayList<>(settings.installation.javaArgumentsForAll());
        for (Service service : Service.values()) {
            program.add(service.moduleName() + "=" + settings.portOf(service));
        }
        return JavaCommand.forAll(jvmOptions(SuiteSettings.ALL_SERVICES), program);
    }

    /** Returns the command line of a service in a process of its own. */
    List<String> command(Service service) {
        return JavaCommand.forService(
                service, jvmOptions(service.moduleName()), settings.installation.javaArguments(service));
    }

    private List<String> jvmOptions(String process) {
        List<String> options = new ArrayList<>(archiveOptions(process));
        options.addAll(settings.jvmOptions);
        return options;
    }

    private List<String> archiveOptions(String process) {
        Path recorded = settings.recordArchives;
        if (recorded != null) {
            return List.of("-XX:AOTCacheOutput=" + recorded.resolve(process));
        }
        Path archive = settings.installation.archive(process);
        return Files.exists(archive)
                // a JVM that cannot use the archive starts without it
                ? List.of("-XX:AOTCache=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr")
                : List.of();
    }

    /** Returns what the environment of every service adds to that of this JVM; makes the secrets and logins that it names. */
    Map<String, String> environment(SuiteTls tls, String redisUrl) {
        Map<String, String> environment = new HashMap<>();
        Path worker = settings.installation.workerHome();
        environment.put("MILLRACE_BIND", settings.bind);
        environment.put("REDIS_URL", redisUrl);
        environment.put("MILLRACE_METAKV_URL", settings.url(Service.METAKV).toString());
        environment.put("MILLRACE_SUBDOC_URL", settings.url(Service.SUBDOC).toString());
        environment.put("MILLRACE_EVENTING_URL", settings.url(Service.EVENTING).toString());
        environment.put("MILLRACE_GATEWAY_URL", settings.url(Service.GATEWAY).toString());
        environment.put(SuiteSettings.KV_PORT_VARIABLE, Integer.toString(settings.kvPort));
        environment.put("MILLRACE_LOG_DIR", settings.logs.toAbsolutePath().toString());
        environment.put("MILLRACE_WORKER_HOME", worker.toAbsolutePath().toString());
        environment.put("MILLRACE_CLUSTER_SECRET_FILE", clusterSecret().toString());
        tls.describeTo(environment);
        if (!given("MILLRACE_AUDIT_DIR", settings.environment)) {
            environment.put(
                    "MILLRACE_AUDIT_DIR",
                    settings.logs.resolve("audit").toAbsolutePath().toString());
        }
        if (settings.open) {
            environment.put(SuiteSettings.OPEN_VARIABLE, "yes");
        }
        environment.putAll(settings.environment);
        if (!given(MasterKeyFile.VARIABLE, environment) && !given(MasterKeyFile.KEY_VARIABLE, environment)) {
            environment.put(
                    MasterKeyFile.VARIABLE, MasterKeyFile.in(settings.data).toString());
        }
        AdministratorLogin.ensure(settings.data, environment, tls.authority());
        return environment;
    }

    /** Returns the file of the secret by which the services know each other. */
    Path clusterSecret() {
        return SecretFile.ensure(settings.data, "cluster");
    }

    private static boolean given(String variable, Map<String, String> environment) {
        return environment.containsKey(variable) || System.getenv(variable) != null;
    }
}

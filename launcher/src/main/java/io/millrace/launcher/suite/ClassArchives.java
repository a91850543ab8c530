package io.millrace.launcher.suite;

import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes the class archives of a distribution, with the Java and the options that later run the services. */
public final class ClassArchives {

    private ClassArchives() {}

    /**
     * Starts each service of the distribution in the directory {@code arguments[0]} up to the point where it would connect to
     * Redis, and keeps the classes that it has loaded until then.
     */
    public static void main(String... arguments) throws IOException, InterruptedException {
        UnpackedDistribution distribution = new UnpackedDistribution(Path.of(arguments[0]));
        for (Service service : Service.values()) {
            make(service, distribution);
        }
    }

    private static void make(Service service, UnpackedDistribution distribution)
            throws IOException, InterruptedException {
        Path archive = distribution.archive(service);
        List<String> command = JavaCommand.forService(
                service,
                List.of("-XX:AOTCacheOutput=" + archive, "-Dspring.context.exit=onRefresh"),
                List.of("-jar", distribution.jar(service).toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .put("MILLRACE_LOG_DIR", archive.resolveSibling("logs").toString());
        builder.environment()
                .put("MILLRACE_WORKER_HOME", distribution.workerHome().toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || !Files.exists(archive)) {
            throw new LauncherException("No class archive of " + service.moduleName() + " could be made:\n" + output);
        }
        System.err.printf("%s: %,d MiB%n", archive.getFileName(), Files.size(archive) / (1024 * 1024));
    }
}

package io.millrace.launcher.suite;

import java.nio.file.Path;
import java.util.List;

/** Programs that are installed and ready to run. */
interface Installation {

    /** Returns the arguments of {@code java} that run the service, without memory settings. */
    List<String> javaArguments(Service service);

    /**
     * Returns the arguments of {@code java} that run all services in one process, without memory settings. They end with the
     * main class, which expects a {@code <module>=<port>} for each service.
     */
    List<String> javaArgumentsForAll();

    /** Returns the directory of the class archives; it may not exist before the first is made. */
    Path archives();

    /** Returns where the class archive of a process of a suite is, or will be when it is made. */
    Path archive(String process);

    /** Returns the directory with the jars of the worker. */
    Path workerHome();
}

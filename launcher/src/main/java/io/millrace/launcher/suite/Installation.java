package io.millrace.launcher.suite;

import java.nio.file.Path;
import java.util.List;

/** Programs that are installed and ready to run. */
interface Installation {

    /** Returns the arguments of {@code java} that run the service, without memory settings. */
    List<String> javaArguments(Service service);

    /** Returns whether the services can run in one process. */
    boolean canShareAProcess();

    /**
     * Returns the arguments of {@code java} that run all services in one process, if they can share one, without memory settings. They end with the
     * main class, which expects a {@code <module>=<port>} for each service.
     */
    List<String> javaArgumentsForAll();

    /** Returns the directory with the jars of the worker. */
    Path workerHome();
}

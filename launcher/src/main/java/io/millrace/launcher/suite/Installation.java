package io.millrace.launcher.suite;

import java.nio.file.Path;
import java.util.List;

/** Programs that are installed and ready to run. */
interface Installation {

    /** Returns the arguments of {@code java} that run the service, without memory settings. */
    List<String> javaArguments(Service service);

    /** Returns the directory with the jars of the worker. */
    Path workerHome();
}

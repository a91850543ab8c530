package io.millrace.launcher;

import java.nio.file.Path;
import java.util.List;

/** Programs that are ready to run. */
interface Installation {

    /** What follows {@code java}, its memory settings aside, to run the service. */
    List<String> javaArguments(Service service);

    /** The directory with the worker's jars. */
    Path workerHome();
}

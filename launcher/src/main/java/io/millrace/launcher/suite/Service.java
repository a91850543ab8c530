package io.millrace.launcher.suite;

/** The services of the suite, in the order in which they are shown to users. */
public enum Service {
    METAKV("metakv-service", 8082, "MILLRACE_METAKV_PORT", 192, true),
    SUBDOC("subdoc-service", 8081, "MILLRACE_SUBDOC_PORT", 384, false),
    EVENTING("eventing-service", 8096, "MILLRACE_EVENTING_PORT", 512, false),
    GATEWAY("ui-gateway", 8080, "MILLRACE_PORT", 192, false);

    private final String moduleName;
    private final int defaultPort;
    private final String portVariable;
    private final int maxHeapMegabytes;
    private final boolean quickCompiler;

    Service(String moduleName, int defaultPort, String portVariable, int maxHeapMegabytes, boolean quickCompiler) {
        this.moduleName = moduleName;
        this.defaultPort = defaultPort;
        this.portVariable = portVariable;
        this.maxHeapMegabytes = maxHeapMegabytes;
        this.quickCompiler = quickCompiler;
    }

    /** Returns the name of the Maven module, which is also the name of the jar and of the log file. */
    public String moduleName() {
        return moduleName;
    }

    public int defaultPort() {
        return defaultPort;
    }

    /** Returns the environment variable that sets the port. */
    public String portVariable() {
        return portVariable;
    }

    int maxHeapMegabytes() {
        return maxHeapMegabytes;
    }

    /** Whether the JVM uses only the fast compiler: for services off the hot path, where startup time matters more. */
    boolean quickCompiler() {
        return quickCompiler;
    }
}

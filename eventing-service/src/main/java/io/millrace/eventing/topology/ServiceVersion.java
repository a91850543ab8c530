package io.millrace.eventing.topology;

import java.util.Objects;

/** The version of the service that runs. */
public final class ServiceVersion {

    private ServiceVersion() {}

    /** Returns the version in the jar's manifest, or {@code development} outside of a jar. */
    public static String text() {
        return Objects.requireNonNullElse(ServiceVersion.class.getPackage().getImplementationVersion(), "development");
    }
}

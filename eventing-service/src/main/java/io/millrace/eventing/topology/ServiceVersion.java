package io.millrace.eventing.topology;

import java.util.Objects;

/** The version of the running service. */
public final class ServiceVersion {

    private ServiceVersion() {}

    /** Returns the version in the jar's manifest, or {@code development} when not run from a jar. */
    public static String text() {
        return Objects.requireNonNullElse(ServiceVersion.class.getPackage().getImplementationVersion(), "development");
    }
}

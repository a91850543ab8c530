package io.millrace.subdocservice.pools;

/** The limits of the management API, each with its unit. */
final class ManagementLimits {

    /** The longest form in bytes; one with as many roles as a user may have is shorter. */
    static final int MAX_FORM_BYTES = 64 * 1024;

    private ManagementLimits() {}
}

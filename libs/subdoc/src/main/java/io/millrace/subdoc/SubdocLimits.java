package io.millrace.subdoc;

/** The limits of sub-document requests, each with its unit and the status past it. */
public final class SubdocLimits {

    /** The longest path in bytes ({@link Status#EINVAL}). */
    public static final int MAX_PATH_BYTES = 1024;

    /** The most components of a path ({@link Status#PATH_E2BIG}). */
    public static final int MAX_PATH_COMPONENTS = 31;

    /**
     * The deepest nesting of a document in levels ({@link Status#DOC_E2DEEP}). A scalar in a container is one level
     * more than the container.
     */
    public static final int MAX_DEPTH_LEVELS = 32;

    /** The most operations in one multi request ({@link Status#INVALID_COMBO}). */
    public static final int MAX_SPECS = 16;

    /** The largest body with its user attributes, in bytes ({@link Status#E2BIG}). */
    public static final int MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;

    /** The largest system attributes together, in bytes ({@link Status#E2BIG}). */
    public static final int MAX_SYSTEM_XATTR_BYTES = 1024 * 1024;

    /** The longest name of an attribute, in bytes ({@link Status#XATTR_EINVAL}). */
    public static final int MAX_XATTR_NAME_BYTES = 15;

    private SubdocLimits() {}
}

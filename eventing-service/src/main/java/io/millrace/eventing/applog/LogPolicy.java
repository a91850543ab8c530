package io.millrace.eventing.applog;

/**
 * How the log of one function is kept.
 *
 * @param folder inside the service's log folder; "" for that itself
 * @param maxFileBytes size at which a file is rotated
 * @param maxFiles files kept, the one being written included
 * @param rotate false: one file, which stops growing at its size
 * @param json one JSON object per line instead of text
 * @param level the least severe level that is written
 */
public record LogPolicy(String folder, long maxFileBytes, int maxFiles, boolean rotate, boolean json, String level) {

    /** The policy of a function that was not configured. */
    public static final LogPolicy STANDARD = new LogPolicy("", 40L << 20, 10, true, false, "INFO");
}

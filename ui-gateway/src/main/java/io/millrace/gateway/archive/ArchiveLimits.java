package io.millrace.gateway.archive;

/** The limits of archives. An import that exceeds one of them is refused and changes nothing. */
final class ArchiveLimits {

    /** The largest archive in bytes, as it is sent. */
    static final int MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;

    /** The largest file of an archive in bytes, unpacked. */
    static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

    /** The most bytes that an archive may unpack to. */
    static final long MAX_UNPACKED_BYTES = 64L * 1024 * 1024;

    /** The most entries of an archive. */
    static final int MAX_ENTRIES = 4_000;

    /** The longest name of an entry in characters. */
    static final int MAX_NAME_CHARS = 1_024;

    /** The largest JSON of all functions, in bytes, that an export takes from eventing-service: as much as an import may have. */
    static final int MAX_EXPORT_BYTES = 32 * 1024 * 1024;

    private ArchiveLimits() {}
}

package io.millrace.subdoc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be stored, provided that the document is still as it was.
 *
 * @param tombstone whether a tombstone is to be stored, else a living document
 * @param creates whether the document is a new one: it owes nothing to what was there, not even flags, and it may only
 *     be stored where there is still no document that the request may see
 * @param body the new body, or null when it stays as it is
 * @param json whether the body, new or old, is JSON
 * @param userXattrs the new user attributes, empty to drop them, or null when they stay as they are
 * @param systemXattrs the new system attributes, likewise
 * @param stamps where the new version is to be written
 */
public record Change(
        boolean tombstone,
        boolean creates,
        byte @Nullable [] body,
        boolean json,
        byte @Nullable [] userXattrs,
        byte @Nullable [] systemXattrs,
        List<Stamp> stamps) {}

/**
 * Range scans of the binary protocol: which documents of a vbucket are in a range, and the scans that clients have open.
 * {@code kv.command} depends on it; it depends on {@code documents} only.
 */
@NullMarked
package io.millrace.subdocservice.kv.scan;

import org.jspecify.annotations.NullMarked;

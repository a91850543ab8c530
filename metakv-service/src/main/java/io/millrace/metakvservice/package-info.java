/**
 * The MetaKV service: configuration entries with revs and watches, and the registry of nodes, kept in a system bucket
 * of the documents engine and mirrored in memory. Its API is HTTP; nothing may depend on this package.
 */
@NullMarked
package io.millrace.metakvservice;

import org.jspecify.annotations.NullMarked;

/**
 * The HTTP API below {@code /api/v1}: buckets, scopes, collections, documents, parts of documents and bucket moves, on a
 * {@link io.millrace.documents.DocumentStore}. {@link io.millrace.subdocservice.rest.Routes} is the table of the
 * endpoints. Nothing else depends on this package.
 */
@NullMarked
package io.millrace.subdocservice.rest;

import org.jspecify.annotations.NullMarked;

/**
 * Buckets, scopes, collections, whole documents and bulk loads over HTTP, on a {@link
 * io.millrace.documents.DocumentStore}. {@link io.millrace.subdocservice.rest.Routes} is the table of everything that is
 * offered; {@link io.millrace.subdocservice.rest.ApiError} is the table of everything that can go wrong. Nothing else
 * depends on this package.
 */
@NullMarked
package io.millrace.subdocservice.rest;

import org.jspecify.annotations.NullMarked;

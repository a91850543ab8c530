/**
 * The table that maps failures to problems. The controllers of the other packages depend on it.
 */
@NullMarked
package io.millrace.metakvservice.http;

import org.jspecify.annotations.NullMarked;

/**
 * The data door of Millrace: whole documents over HTTP. This package starts the service; what it speaks is in the
 * packages below, none of which other modules may use: services meet in Redis, in MetaKV and over HTTP.
 */
@NullMarked
package io.millrace.subdocservice;

import org.jspecify.annotations.NullMarked;

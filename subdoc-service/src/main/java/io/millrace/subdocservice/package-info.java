/**
 * The document service: documents over HTTP, the memcached binary protocol, N1QL and CouchDB replication. This package starts
 * the service; every protocol has a package. Other modules must not use any of them: services communicate through Redis,
 * MetaKV and HTTP.
 */
@NullMarked
package io.millrace.subdocservice;

import org.jspecify.annotations.NullMarked;

/**
 * The document store as Spring Boot auto-configuration: on the connection that spring-data-redis is configured with.
 * Services depend on this package; it depends on {@code documents}.
 */
@NullMarked
package io.millrace.documents.spring;

import org.jspecify.annotations.NullMarked;

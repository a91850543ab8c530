/**
 * The door of a service: how long a client may take to send a request, and how many connections there may be. An
 * auto-configuration applies both to the HTTP server of every service. Depends on no other module.
 */
@NullMarked
package io.millrace.httpdoor;

import org.jspecify.annotations.NullMarked;

/**
 * The frames that the eventing service and a worker process exchange over a Unix-domain socket, and the link that
 * carries them. Knows neither documents nor JavaScript; both ends depend on it and it on neither.
 */
@NullMarked
package io.millrace.workerprotocol;

import org.jspecify.annotations.NullMarked;

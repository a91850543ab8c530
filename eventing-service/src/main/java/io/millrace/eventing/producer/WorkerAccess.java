package io.millrace.eventing.producer;

import java.util.List;

/**
 * What handlers of every function may reach and what not.
 *
 * @param curlRefused addresses that curl never calls: {@code host}, {@code host:port} or {@code :port}
 */
record WorkerAccess(List<String> curlRefused) {

    static final WorkerAccess NOTHING_SPECIAL = new WorkerAccess(List.of());

    WorkerAccess {
        curlRefused = List.copyOf(curlRefused);
    }
}

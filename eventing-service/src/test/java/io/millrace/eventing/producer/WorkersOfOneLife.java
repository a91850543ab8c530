package io.millrace.eventing.producer;

import io.millrace.eventing.consumer.FakeWorkers;
import io.millrace.eventing.consumer.Placement;
import io.millrace.eventing.consumer.Suspects;
import io.millrace.eventing.consumer.WorkerLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts fake workers until the service that wants them is dead.
 *
 * @param dead whether it is
 */
record WorkersOfOneLife(FakeWorkers workers, AtomicBoolean dead) implements WorkerLauncher {

    @Override
    public Worker launch(String name, Path socket, Placement placement) throws IOException {
        if (dead.get()) {
            throw new IOException("This service was killed");
        }
        return workers.launch(name, socket, placement);
    }

    @Override
    public Suspects suspects() {
        return workers.suspects();
    }
}

package io.millrace.launcher.shell;

/** Cancels the running statement on the server when this process is told to end, by Ctrl-C or otherwise. */
final class CancelAtExit implements AutoCloseable {

    private final Thread hook;

    CancelAtExit(Session session) {
        hook = new Thread(
                () -> {
                    try {
                        session.cancel();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "cancel-at-exit");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending: the hook runs
        }
    }
}

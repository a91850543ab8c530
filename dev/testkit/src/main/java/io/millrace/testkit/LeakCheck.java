package io.millrace.testkit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Fails a run of tests with {@link LeakDetector} at its end if buffers were not released. */
public final class LeakCheck implements LauncherSessionListener {

    private static final String DETECTOR = "io.netty.customResourceLeakDetector";

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        // modules that do not ask for it may have no Netty, without which the class cannot be loaded
        if (System.getProperty(DETECTOR) != null) {
            LeakDetector.check();
        }
    }
}

package io.millrace.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets tests wait two minutes for what they expect, in place of Awaitility's ten seconds: what a machine with much other work
 * needs longer for is no defect. JUnit finds it by its service file in every module that uses the test kit.
 */
public final class Patience implements LauncherSessionListener {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}

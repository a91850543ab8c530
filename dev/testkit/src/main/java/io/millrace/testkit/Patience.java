package io.millrace.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets tests wait two minutes for what they expect, in place of Awaitility's ten seconds, so that a slow machine does not fail
 * them. JUnit finds this class by its service file in every module that uses the test kit.
 */
public final class Patience implements LauncherSessionListener {

    static final Duration LIMIT = Duration.ofMinutes(2);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}

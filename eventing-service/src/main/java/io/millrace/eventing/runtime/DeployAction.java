package io.millrace.eventing.runtime;

import java.time.Duration;

/**
 * What OnDeploy is told and how long it may take; it is called once per deployment, on one worker, before any change.
 *
 * @param reason {@code Deploy} or {@code Resume}
 * @param delay how long the function had been paused, zero for a first deployment
 */
public record DeployAction(String reason, Duration delay, Duration timeout) {}

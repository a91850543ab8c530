package io.millrace.eventing.definition;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The pair of flags with which definitions and settings request or report the state of a function. */
public enum LifecycleFlags {
    UNDEPLOY(false, false),
    DEPLOY(true, true),
    PAUSE(true, false);

    private final boolean deployment;
    private final boolean processing;

    LifecycleFlags(boolean deployment, boolean processing) {
        this.deployment = deployment;
        this.processing = processing;
    }

    public boolean deployment() {
        return deployment;
    }

    public boolean processing() {
        return processing;
    }

    /** Returns the flags in a settings object, or null when it has none. */
    public static @Nullable LifecycleFlags in(JsonNode settings) {
        boolean deploymentGiven = settings.has(Settings.DEPLOYMENT_STATUS);
        boolean processingGiven = settings.has(Settings.PROCESSING_STATUS);
        if (!deploymentGiven && !processingGiven) {
            return null;
        }
        if (!deploymentGiven || !processingGiven) {
            throw FunctionsException.of(
                    ErrorCode.ERR_PROCESSING_OR_DEPLOYMENT_STATUS_NOT_FOUND,
                    "%s is missing: deployment_status and processing_status are only valid together."
                            .formatted(deploymentGiven ? Settings.PROCESSING_STATUS : Settings.DEPLOYMENT_STATUS));
        }
        boolean deployment = DeploymentConfigReader.flag(settings, Settings.DEPLOYMENT_STATUS);
        boolean processing = DeploymentConfigReader.flag(settings, Settings.PROCESSING_STATUS);
        for (LifecycleFlags flags : values()) {
            if (flags.deployment == deployment && flags.processing == processing) {
                return flags;
            }
        }
        throw FunctionsException.invalidConfig(
                "deployment_status false with processing_status true is not a valid state.");
    }
}

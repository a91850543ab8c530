package io.millrace.eventing.definition;

import java.util.concurrent.ThreadLocalRandom;

/**
 * A function as its author wrote it, with its ids.
 *
 * @param handlerUuid the stable id, from 1 to 2^32-1
 * @param instanceId the id of the deployment; changes with each deployment from undeployed
 */
public record FunctionDefinition(
        FunctionName name,
        String code,
        DeploymentConfig deployment,
        Settings settings,
        boolean enforceSchema,
        long handlerUuid,
        String instanceId) {

    /** The {@code version} of exported definitions, which names their format. */
    static final String VERSION = "evt-7.0.0-0000-ee";

    public static long newHandlerUuid() {
        return ThreadLocalRandom.current().nextLong(1, 1L << 32);
    }

    public static String newInstanceId() {
        return Long.toString(ThreadLocalRandom.current().nextLong(1L << 60, Long.MAX_VALUE), 36);
    }

    public FunctionDefinition withCode(String newCode) {
        return new FunctionDefinition(name, newCode, deployment, settings, enforceSchema, handlerUuid, instanceId);
    }

    public FunctionDefinition withDeployment(DeploymentConfig newDeployment) {
        return new FunctionDefinition(name, code, newDeployment, settings, enforceSchema, handlerUuid, instanceId);
    }

    public FunctionDefinition withSettings(Settings newSettings) {
        return new FunctionDefinition(name, code, deployment, newSettings, enforceSchema, handlerUuid, instanceId);
    }

    public FunctionDefinition withIds(long newHandlerUuid, String newInstanceId) {
        return new FunctionDefinition(name, code, deployment, settings, enforceSchema, newHandlerUuid, newInstanceId);
    }
}

package io.millrace.launcher.suite;

import io.millrace.launcher.redis.RedisServer;

/** The Redis of a suite, which restarts with its port and data. */
record SupervisedRedis(RedisServer redis) implements Supervisor.Program {

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        redis.awaitEnd();
    }

    @Override
    public void restart() {
        redis.restart();
    }

    @Override
    public String exitReport() {
        return "";
    }
}

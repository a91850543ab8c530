package io.millrace.subdocservice.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.millrace.documents.redis.RedisKit;
import io.millrace.redis.RedisTls;
import io.millrace.testkit.OwnRedis;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunningMoveIT {

    private final OwnRedis oldRedis = OwnRedis.startVolatile();
    private final OwnRedis newRedis = OwnRedis.startVolatile();
    private final RedisKit kit = new RedisKit(oldRedis.url());
    private final BucketMoves owner = new BucketMoves(
            kit.store(InstantSource.system()),
            () -> CompletableFuture.completedStage(kit.connection().async()),
            RedisTls.DEFAULT,
            InstantSource.system());

    @AfterEach
    void stop() {
        kit.close();
        oldRedis.close();
        newRedis.close();
    }

    private RunningMove move(String id) {
        TargetRedis there = TargetRedis.connect(
                RedisURI.create(newRedis.url()),
                RedisTls.DEFAULT,
                kit.connection().async());
        return new RunningMove(id, "redis:6379", "2026-01-01T00:00:00Z", List.of(), there, owner);
    }

    @Test
    void moveThatHasLostItsLease_leavesTheStateOfTheNextOne() {
        RunningMove next = move("next");
        owner.save(next.state());
        kit.console().set("mr:move:lock", "next");

        move("late").run();

        assertThat(kit.console().get("mr:move")).contains("\"next\"", "copying");
        next.run();
        assertThat(kit.console().get("mr:move")).contains("\"next\"", "moved");
        assertThat(kit.console().get("mr:move:lock")).isNull();
    }
}

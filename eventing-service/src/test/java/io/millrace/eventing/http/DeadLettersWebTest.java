package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.checkpoint.DeadLetter;
import io.millrace.eventing.checkpoint.DeadLetterStore;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.functions.FunctionName;
import io.millrace.eventing.producer.DeployRejected;
import io.millrace.rebalance.VbucketSet;
import io.millrace.workerlink.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

class DeadLettersWebTest extends WebTest {

    private static final String LETTERS = "/api/v1/functions/f/dead-letters";

    @Autowired
    DeadLetterStore store;

    @Autowired
    CheckpointStore checkpoints;

    @Autowired
    FunctionLetters functions;

    private CheckpointGroup group;

    @BeforeEach
    void createFunction() {
        create("f");
        group = functions.group(FunctionName.of("f"));
    }

    private void bury(int count) {
        long epoch =
                checkpoints.claim(group, "a", VbucketSet.range(0, 9)).join().epoch();
        for (int i = 1; i <= count; i++) {
            DeadLetter letter = new DeadLetter(
                    DeadLetter.name(i, i * 10L),
                    "OnUpdate",
                    "_default",
                    "_default",
                    "d" + i,
                    i,
                    i * 10L,
                    i * 10L,
                    "threw",
                    "Error: no",
                    3,
                    7,
                    "Error: no at f:3:7",
                    4,
                    1000,
                    5000,
                    7,
                    "{\"a\":1}");
            store.bury(group, epoch, letter, 100).join();
        }
    }

    @Test
    void list_pageByPage_showsLettersNewestFirst() {
        bury(5);

        JsonNode page = get(LETTERS + "?limit=3").ok().json();

        assertThat(page.get("total").asInt()).isEqualTo(5);
        assertThat(page.get("dead_letters")).hasSize(3);
        JsonNode newest = page.at("/dead_letters/0");
        assertThat(newest.get("letter").asString()).isEqualTo("5-50");
        assertThat(newest.get("id").asString()).isEqualTo("d5");
        assertThat(newest.get("line").asInt()).isEqualTo(3);
        assertThat(newest.get("column").asInt()).isEqualTo(7);
        assertThat(newest.get("attempts").asInt()).isEqualTo(4);
        assertThat(newest.get("died").asString()).isEqualTo("1970-01-01T00:00:05Z");
        JsonNode rest = get(LETTERS + "?limit=3&before=" + page.get("next").asLong())
                .ok()
                .json();
        assertThat(rest.get("dead_letters")).hasSize(2);
        assertThat(rest.has("next")).isFalse();
    }

    @Test
    void show_hasTheStackAndTheDocument() {
        bury(1);

        JsonNode shown = get(LETTERS + "/1-10").ok().json();

        assertThat(shown.get("stack").asString()).isEqualTo("Error: no at f:3:7");
        assertThat(shown.get("document").asString()).isEqualTo("{\"a\":1}");
        get(LETTERS + "/9-9").error(400, "ERR_INVALID_REQUEST", 63);
        get("/api/v1/functions/none/dead-letters").error(404, "ERR_APP_NOT_FOUND_TS", 13);
    }

    @Test
    void replay_withTheDeployedCode_isAskedForAndSeen() {
        bury(3);

        post(LETTERS + "/2-20/replay", null).ok();

        assertThat(get(LETTERS + "/2-20").json().get("replaying").asBoolean()).isTrue();
        assertThat(get(LETTERS + "/1-10").json().get("replaying").asBoolean()).isFalse();
        assertThat(post(LETTERS + "/replay", null)
                        .ok()
                        .json()
                        .at("/info/replaying")
                        .asInt())
                .isEqualTo(3);
        post(LETTERS + "/7-7/replay", null).error(400, "ERR_INVALID_REQUEST", 63);
    }

    @Test
    void replay_withADraft_answersItsOutcomeAndDropsWhatIsHandled() {
        bury(2);
        runtime.onTrial(draft -> CompletableFuture.completedFuture(Optional.of(
                draft.code().contains("throw")
                        ? new Outcome(Outcome.Result.THREW, 1, "Error: still", 1, 30, "at OnUpdate")
                        : Outcome.success(1))));

        JsonNode failed = post(LETTERS + "/1-10/replay", settings("code", "function OnUpdate(d, m) { throw 1; }"))
                .ok()
                .json();
        JsonNode handled = post(LETTERS + "/2-20/replay", settings("code", "function OnUpdate(d, m) { log(d); }"))
                .ok()
                .json();

        assertThat(failed.at("/info/result").asString()).isEqualTo("threw");
        assertThat(failed.at("/info/error").asString()).isEqualTo("Error: still");
        assertThat(failed.at("/info/column").asInt()).isEqualTo(30);
        assertThat(handled.at("/info/result").asString()).isEqualTo("success");
        assertThat(store.names(group).join()).containsExactly("1-10");
        post(LETTERS + "/1-10/replay", settings("code", "function OnUpdate( {"))
                .error(422, "ERR_HANDLER_COMPILATION", 27);
        post(LETTERS + "/1-10/replay", "{\"code\": 7}").error(400, "ERR_INVALID_REQUEST", 63);
        runtime.onTrial(draft -> CompletableFuture.failedFuture(new DeployRejected("no", 1, 2)));
        post(LETTERS + "/1-10/replay", settings("code", "function OnUpdate(d, m) {}"))
                .error(422, "ERR_HANDLER_COMPILATION", 27);
    }

    @Test
    void drop_oneAndAll() {
        bury(3);

        delete(LETTERS + "/2-20").ok();

        assertThat(store.names(group).join()).containsExactly("1-10", "3-30");
        delete(LETTERS + "/2-20").error(400, "ERR_INVALID_REQUEST", 63);
        assertThat(delete(LETTERS).ok().json().at("/info/dropped").asInt()).isEqualTo(2);
        assertThat(store.names(group).join()).isEmpty();
    }
}

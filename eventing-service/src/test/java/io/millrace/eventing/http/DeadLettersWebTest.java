package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.eventing.checkpoint.CheckpointGroup;
import io.millrace.eventing.checkpoint.CheckpointStore;
import io.millrace.eventing.deadletter.DeadLetter;
import io.millrace.eventing.deadletter.DeadLetterStore;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.functions.FunctionLetters;
import io.millrace.eventing.runtime.DeployRejected;
import io.millrace.eventing.timers.FunctionTimers;
import io.millrace.rebalance.VbucketSet;
import io.millrace.timers.NewTimer;
import io.millrace.timers.Timer;
import io.millrace.timers.TimerGroup;
import io.millrace.timers.TimerId;
import io.millrace.timers.TimerStore;
import io.millrace.timers.TimerStore.Claim;
import io.millrace.workerprotocol.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class DeadLettersWebTest extends WebTest {

    private static final String LETTERS = "/api/v1/functions/f/dead-letters";

    @Autowired
    DeadLetterStore store;

    @Autowired
    CheckpointStore checkpoints;

    @Autowired
    FunctionLetters functions;

    @Autowired
    TimerStore timers;

    @Autowired
    FunctionTimers functionTimers;

    private CheckpointGroup group;

    @BeforeEach
    void createFunction() {
        create("f");
        group = functions.group(FunctionName.of("f"));
    }

    private void bury(int count) {
        bury("OnUpdate", count);
    }

    private void bury(String entryPoint, int count) {
        long epoch =
                checkpoints.claim(group, "a", VbucketSet.range(0, 9)).join().epoch();
        for (int i = 1; i <= count; i++) {
            DeadLetter letter = new DeadLetter(
                    DeadLetter.name(i, i * 10L),
                    entryPoint,
                    5,
                    "4bf92f",
                    new DeadLetter.Change("_default", "_default", "d" + i, i, i * 10L, i * 10L),
                    new DeadLetter.Failure("threw", "Error: no", 3, 7, "Error: no at f:3:7"),
                    new DeadLetter.Attempts(4, 1000, 5000),
                    new DeadLetter.Content(7, "{\"a\":1}"));
            store.bury(group, epoch, letter, 100).join();
        }
    }

    /** Buries timers r1, r2 and so on, each a second younger than the one before; the letters of changes died at 5 s. */
    private void buryTimers(int count) {
        TimerGroup timerGroup = functionTimers.group(FunctionName.of("f")).join();
        timers.drop(timerGroup).join();
        timers.open(timerGroup).join();
        for (int i = 1; i <= count; i++) {
            TimerId id = new TimerId("late", "r" + i);
            timers.create(timerGroup, new NewTimer(id, 1000, NewTimer.NEVER_STALE, "", "{\"i\":" + i + "}"))
                    .join();
            int partition = timerGroup.partitionOf(id);
            timers.take(timerGroup, partition, 1).join();
            Timer timer = timers.claim(timerGroup, new Claim(partition, 1, "c" + i, 2000, 1))
                    .join()
                    .orElseThrow()
                    .getFirst();
            timers.bury(timerGroup, 1, new io.millrace.timers.DeadLetter(timer, 3500 + i * 1000L, "Error: late " + i))
                    .join();
        }
    }

    private List<String> letters(String query) {
        List<String> names = new ArrayList<>();
        get(LETTERS + query)
                .ok()
                .json()
                .get("dead_letters")
                .forEach(letter ->
                        names.add(letter.path(letter.get("kind").asString().equals("timer") ? "reference" : "letter")
                                .asString()));
        return names;
    }

    @Test
    void document_isShownToThoseWhoMayReadIt_andTheContextOfATimerToThoseWhoMayReadTheMetadata() {
        bury(1);
        buryTimers(1);
        String change = LETTERS + "/1-10";
        String reader = "eventing_manage_functions[*:*],data_reader[src],data_reader[meta]";

        assertThat(getWithRoles(reader, change).json().get("document").asString())
                .isEqualTo("{\"a\":1}");
        assertThat(getWithRoles(reader, LETTERS).text()).contains("{\\\"i\\\":1}");
        JsonNode shown = getWithRoles("ro_admin", change).json();
        assertThat(shown.has("document")).isFalse();
        assertThat(shown.get("document_bytes").asInt()).isEqualTo(7);
        assertThat(getWithRoles("ro_admin", LETTERS).text())
                .contains("Error: late 1")
                .doesNotContain("context");
    }

    @Test
    void list_showsTimersBetweenTheChangesAndByThePage() {
        bury(2);
        buryTimers(3);

        assertThat(letters("")).containsExactly("r3", "r2", "2-20", "1-10", "r1");
        assertThat(get(LETTERS).json().get("total").asInt()).isEqualTo(5);
        List<String> all = new ArrayList<>();
        String next = "";
        for (JsonNode page = get(LETTERS + "?limit=1").ok().json(); page.has("next"); ) {
            page.get("dead_letters")
                    .forEach(letter -> all.add(letter.get("letter").asString()));
            next = page.get("next").asString();
            page = get(LETTERS + "?limit=1&before=" + next).ok().json();
        }
        assertThat(all).hasSize(5).doesNotHaveDuplicates();
        get(LETTERS + "?before=soon").problem(400, "invalid_request");
        assertThat(letters("?kind=timer")).containsExactly("r3", "r2", "r1");
        assertThat(letters("?kind=change")).containsExactly("2-20", "1-10");
        assertThat(get(LETTERS + "?kind=timer").json().get("total").asInt()).isEqualTo(3);
        get(LETTERS + "?kind=both").problem(400, "invalid_request");
    }

    @Test
    void letterOfATimer_isShownReplayedTriedAndDropped() {
        bury(1);
        buryTimers(4);
        List<String> names = new ArrayList<>();
        get(LETTERS)
                .json()
                .get("dead_letters")
                .forEach(letter -> names.add(letter.get("letter").asString()));
        names.remove("1-10");

        JsonNode shown = get(LETTERS + "/" + names.getFirst()).ok().json();
        assertThat(shown.get("entry_point").asString()).isEqualTo("late");
        assertThat(shown.get("reference").asString()).isEqualTo("r4");
        assertThat(shown.get("context").asString()).isEqualTo("{\"i\":4}");
        assertThat(shown.get("error").asString()).isEqualTo("Error: late 4");
        post(LETTERS + "/" + names.get(0) + "/replay", null).ok();
        assertThat(get("/api/v1/functions/f/timers").json().get("timers"))
                .singleElement()
                .satisfies(
                        timer -> assertThat(timer.get("reference").asString()).isEqualTo("r4"));
        delete(LETTERS + "/" + names.get(1)).ok();
        assertThat(letters("")).containsExactly("r2", "1-10", "r1");
        get(LETTERS + "/" + names.get(1)).problem(404, "dead_letter_not_found");

        runtime.onDraftReplay(draft -> CompletableFuture.completedFuture(Optional.of(
                draft.code().contains("throw")
                        ? new Outcome(Outcome.Result.THREW, 1, "Error: still", 1, 30, "at late")
                        : Outcome.success(1))));
        String draft = "function OnUpdate(d, m) {} function late(c) { %s }";
        assertThat(post(LETTERS + "/" + names.get(2) + "/replay", settings("code", draft.formatted("throw 1;")))
                        .ok()
                        .json()
                        .at("/info/error")
                        .asString())
                .isEqualTo("Error: still");
        assertThat(post(LETTERS + "/" + names.get(2) + "/replay", settings("code", draft.formatted("log(c);")))
                        .ok()
                        .json()
                        .at("/info/dropped")
                        .asBoolean())
                .isTrue();
        assertThat(letters("")).containsExactly("1-10", "r1");
        assertThat(post(LETTERS + "/replay", null)
                        .ok()
                        .json()
                        .at("/info/replaying")
                        .asInt())
                .isEqualTo(2);
        buryTimers(2);
        assertThat(delete(LETTERS).ok().json().at("/info/dropped").asInt()).isEqualTo(3);
        assertThat(letters("")).isEmpty();
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
        JsonNode rest = get(LETTERS + "?limit=3&before=" + page.get("next").asString())
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
        get(LETTERS + "/9-9").problem(404, "dead_letter_not_found");
        get("/api/v1/functions/none/dead-letters").problem(404, "function_not_found");
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
        post(LETTERS + "/7-7/replay", null).problem(404, "dead_letter_not_found");
    }

    @Test
    void replay_withADraft_answersItsOutcomeAndDropsWhatIsHandled() {
        bury(2);
        runtime.onDraftReplay(draft -> CompletableFuture.completedFuture(Optional.of(
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
        post(LETTERS + "/1-10/replay", settings("code", "function OnUpdate( {")).problem(422, "code_does_not_compile");
        post(LETTERS + "/1-10/replay", "{\"code\": 7}").problem(400, "invalid_request");
        runtime.onDraftReplay(draft -> CompletableFuture.failedFuture(new DeployRejected("no", 1, 2)));
        post(LETTERS + "/1-10/replay", settings("code", "function OnUpdate(d, m) {}"))
                .problem(422, "code_does_not_compile");
    }

    @Test
    void replayOfAll_withADraft_dropsWhatIsHandledAndNamesTheRest() {
        bury(9);
        buryTimers(5);
        AtomicInteger tried = new AtomicInteger();
        runtime.onDraftReplay(draft -> CompletableFuture.completedFuture(Optional.of(
                tried.incrementAndGet() % 7 == 0
                        ? new Outcome(Outcome.Result.THREW, 1, "Error: still", 1, 30, "at OnUpdate")
                        : Outcome.success(1))));

        JsonNode answer = post(LETTERS + "/replay", settings("code", "function OnUpdate(d, m) { log(d); }"))
                .ok()
                .json()
                .get("info");

        assertThat(answer.get("handled").asInt()).isEqualTo(12);
        assertThat(answer.get("failed").asInt()).isEqualTo(2);
        assertThat(answer.get("left").asInt()).isZero();
        assertThat(answer.at("/failures/0/letter").asString()).isEqualTo("7-70");
        assertThat(answer.at("/failures/0/error").asString()).isEqualTo("Error: still");
        assertThat(answer.at("/failures/1/line").asInt()).isEqualTo(1);
        assertThat(store.names(group).join()).containsExactly("7-70");
        assertThat(letters("")).hasSize(2);
        post(LETTERS + "/replay", "{\"code\": 7}").problem(400, "invalid_request");
        runtime.onDraftReplay(draft -> CompletableFuture.failedFuture(new DeployRejected("no", 1, 2)));
        post(LETTERS + "/replay", settings("code", "function OnUpdate(d, m) {}"))
                .problem(422, "code_does_not_compile");
    }

    @Test
    void replay_ofMessagesOfAChannel_isRefused() {
        ObjectNode definition = definition("f");
        definition.put("appcode", "function OnMessage(message, meta) {}");
        ObjectNode places = (ObjectNode) definition.get("depcfg");
        places.remove("source_bucket");
        places.put("source_topic", "bell").put("source_kind", "redis-channel");
        post("/api/v1/functions/f", definition.toString()).ok();
        group = functions.group(FunctionName.of("f"));
        bury(2);

        post(LETTERS + "/2-20/replay", null).problem(409, "channel_not_replayable");
        post(LETTERS + "/replay", null).problem(409, "channel_not_replayable");

        assertThat(get(LETTERS + "/2-20").json().get("replaying").asBoolean()).isFalse();
        buryTimers(1);
        assertThat(post(LETTERS + "/replay", null)
                        .ok()
                        .json()
                        .at("/info/replaying")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void replayWithADraft_ofAnEventThatIsGone_keepsTheLetter() {
        bury("OnEvent", 2);
        runtime.onDraftReplay(draft -> CompletableFuture.completedFuture(Optional.empty()));
        String draft = settings("code", "function OnUpdate(d, m) {}");

        JsonNode one = post(LETTERS + "/1-10/replay", draft).ok().json().get("info");
        JsonNode all = post(LETTERS + "/replay", draft).ok().json().get("info");

        assertThat(one.get("result").asString()).isEqualTo("gone");
        assertThat(one.get("dropped").asBoolean()).isFalse();
        assertThat(all.get("failed").asInt()).isEqualTo(2);
        assertThat(all.at("/failures/0/error").asString()).contains("not there any more");
        assertThat(store.names(group).join()).containsExactly("1-10", "2-20");
    }

    @Test
    void drop_oneAndAll() {
        bury(3);

        delete(LETTERS + "/2-20").ok();

        assertThat(store.names(group).join()).containsExactly("1-10", "3-30");
        delete(LETTERS + "/2-20").problem(404, "dead_letter_not_found");
        assertThat(delete(LETTERS).ok().json().at("/info/dropped").asInt()).isEqualTo(2);
        assertThat(store.names(group).join()).isEmpty();
    }
}

package io.millrace.launcher.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** {@code millrace fn} against a suite that only stores functions. */
class FunctionCommandsTest extends FunctionCommandLine {

    @Test
    void new_writesATemplateUnderTheNameOfTheDirectory() throws IOException {
        Path function = created("totals");

        assertThat(function.resolve("tests/handler.json")).exists();
        assertThat(Files.readString(function.resolve("function.json"))).contains("\"appname\" : \"totals\"");
        assertThat(Files.readString(function.resolve("millrace.d.ts")))
                .contains("declare const products: ReadableBucket;", "declare const totals: WritableBucket;");
        assertThat(function.resolve("jsconfig.json")).exists();
        assertThat(fn("new", function.toString())).isEqualTo(1);
        assertThat(talk()).contains("not empty");
        assertThat(fn("new", home.resolve("x").toString(), "-t", "none")).isEqualTo(1);
        assertThat(talk()).contains("There is no template none; the templates are blank, enrich");
        assertThat(fn("new", "--list")).isZero();
        assertThat(data()).contains("webhook ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "pause", "undeploy", "canary"})
    void unknownFunction_isSaidWithWhereToLook(String command) {
        assertThat(fn(command, "absent")).isEqualTo(1);

        assertThat(talk()).containsIgnoringCase("there is no ").contains("'./millrace fn list' lists the functions");
    }

    @Test
    void export_saysThatThereIsNothing() {
        assertThat(fn("export", home.toString())).isZero();

        assertThat(data()).isEmpty();
        assertThat(talk()).isEqualTo("There are no functions to export\n");
    }

    @Test
    void fileThatDoesNotExist_isSaid() {
        Path absent = home.resolve("absent");

        assertThat(fn("swap", absent.toString())).isEqualTo(1);
        assertThat(talk()).isEqualTo(absent.resolve("function.json") + " does not exist\n");
        assertThat(fn("library", "put", "money@1", absent.toString())).isEqualTo(1);
        assertThat(talk()).isEqualTo(absent + " does not exist\n");
    }

    @Test
    void graph_namesEachFunctionBeforeThoseThatWakeIt() {
        assertThat(fn("graph")).isZero();

        assertThat(data()).isEqualTo("""
                shop/_default/second (not deployed)
                  source  mid._default._default
                  writes  out._default._default
                first
                  source  in._default._default
                  reads   prices._default._default
                  writes  mid._default._default
                  calls   https://example.com/
                  imports money@1
                  wakes   shop/_default/second
                """);
        assertThat(talk()).contains("These functions wake each other: one, two");
        assertThat(fn("graph", "--json")).isZero();
        assertThat(data()).startsWith("{\"functions\":[");
    }

    @Test
    void library_isSavedListedShownAndDeleted() throws IOException {
        Path module = Files.writeString(home.resolve("money.js"), "export const a = 1;");

        assertThat(fn("library", "list")).isZero();
        assertThat(talk()).contains("There are no libraries");
        assertThat(fn("library", "put", "money@1.0.0", module.toString())).isZero();
        assertThat(talk()).contains("money@1.0.0 is saved");
        assertThat(fn("library", "list")).isZero();
        assertThat(data()).matches("money@1.0.0 +not used\\R");
        assertThat(fn("library", "show", "money@1.0.0")).isZero();
        assertThat(data()).isEqualToIgnoringNewLines("export const a = 1;");
        assertThat(fn("library", "rm", "money@1.0.0")).isZero();
        assertThat(fn("library", "show", "money@1.0.0")).isEqualTo(1);
        assertThat(talk()).contains("There is no library money@1.0.0");
        assertThat(fn("library", "put", "money", module.toString())).isEqualTo(1);
        assertThat(talk()).contains("NAME@VERSION");
    }

    @Test
    void librariesOfADirectory_areSavedBeforeTheFunction_andExportedWithIt() throws IOException {
        Path function = created("totals");
        Path libraries = Files.createDirectory(function.resolve("libraries"));
        Files.writeString(libraries.resolve("a@1.js"), "export {x} from 'b@1';");
        Files.writeString(libraries.resolve("b@1.js"), "export const x = 1;");

        assertThat(fn("deploy", function.toString())).isZero();
        assertThat(suite.libraries).containsOnlyKeys("a@1", "b@1");
        assertThat(suite.changes)
                .containsSubsequence("PUT /api/v1/libraries/a/versions/1", "POST /api/v1/functions/totals");
        assertThat(fn("export", home.resolve("copy").toString())).isZero();
        assertThat(home.resolve("copy/totals/libraries/a@1.js")).hasContent("export {x} from 'b@1';");

        Files.writeString(libraries.resolve("c@1.js"), "export {x} from 'gone@1';");
        assertThat(fn("import", function.toString())).isEqualTo(1);
        assertThat(talk()).contains("Cannot save the library c@1: There is no library gone@1");
    }

    @Test
    void deploy_isIdempotent() throws IOException {
        String function = created("totals").toString();

        assertThat(fn("deploy", function, "--plan")).isZero();
        assertThat(data()).isEqualTo("+ totals: create and deploy\n");
        assertThat(suite.changes).isEmpty();
        assertThat(fn("deploy", function)).isZero();
        assertThat(suite.functions()).containsExactly("totals deployed 1");
        suite.changes.clear();
        assertThat(fn("deploy", function)).isZero();

        assertThat(data()).isEqualTo("= totals: no change\n");
        assertThat(suite.changes).isEmpty();
        write(home.resolve("totals"), "other");
        assertThat(fn("deploy", function)).isZero();
        assertThat(data()).isEqualTo("~ totals: change code\n");
        assertThat(suite.functions()).containsExactly("totals deployed 2");
    }

    @Test
    void swap_savesWhatADeployedFunctionTakesWithoutAPause() throws IOException {
        Path function = created("totals");
        assertThat(fn("swap", function.toString())).isEqualTo(1);
        assertThat(talk()).contains("totals is not deployed; './millrace fn deploy");
        assertThat(suite.changes).isEmpty();
        assertThat(fn("deploy", function.toString())).isZero();
        suite.changes.clear();

        assertThat(fn("swap", function.toString())).isZero();
        assertThat(data()).isEqualTo("= totals: no change\n");
        assertThat(suite.changes).isEmpty();
        write(function, "other");
        assertThat(fn("swap", function.toString(), "-m", "why")).isZero();
        assertThat(data()).isEqualTo("~ totals: change code\n");
        assertThat(talk()).contains("totals is deployed");
        assertThat(suite.changes).containsExactly("POST /api/v1/functions/totals");
        assertThat(suite.query).isEqualTo("swap=true&note=why");

        write(function, "function OnDeploy() {}");
        assertThat(fn("swap", function.toString())).isEqualTo(1);
        assertThat(talk()).contains("Cannot swap totals: It needs a pause");
        assertThat(suite.functions()).containsExactly("totals deployed 2");
    }

    @Test
    void undeployAll_undeploysWakersFirst_andPrintsWarnings() throws IOException {
        created("a");
        created("b");
        assertThat(fn("deploy", "--all", home.toString())).isZero();
        suite.changes.clear();
        suite.graph = JsonMapper.shared()
                .readTree(
                        "{\"functions\": [{\"name\": \"a\", \"deployed\": true}, {\"name\": \"b\", \"deployed\": true},"
                                + " {\"name\": \"c\", \"deployed\": false}], \"deploy_order\": [\"b\", \"c\", \"a\"]}");

        assertThat(fn("undeploy", "--all")).isZero();

        assertThat(data()).isEqualTo("a is undeployed\nb is undeployed\n");
        assertThat(talk()).contains("a: others wait");
        assertThat(suite.changes)
                .containsExactly("POST /api/v1/functions/a/undeploy", "POST /api/v1/functions/b/undeploy");
        assertThat(fn("undeploy")).isEqualTo(2);
        assertThat(fn("undeploy", "a", "--all")).isEqualTo(2);
    }

    @Test
    void deploy_withoutItsBuckets_saysWhatCreatesThem() {
        suite.withoutBuckets = true;

        assertThat(fn("deploy", created("totals").toString())).isEqualTo(1);

        assertThat(talk())
                .contains("Bucket 'totals' does not exist. Create it first."
                        + " './millrace fn deploy --create-buckets' creates buckets.");
    }

    @Test
    void mistakes_areShownWithFileAndLine() throws IOException {
        Path function = created("totals");
        write(function, ";;");

        assertThat(fn("deploy", function.toString())).isEqualTo(1);

        assertThat(talk()).contains("handler.js:3:7: two semicolons");
        assertThat(suite.functions()).isEmpty();
    }

    @Test
    void typeScript_isTheSource() throws IOException {
        Path function = home.resolve("totals");
        assertThat(fn("new", function.toString(), "--template", "enrich", "--typescript"))
                .isZero();
        assertThat(function.resolve("handler.ts")).content().contains("function OnUpdate(order: any, meta: EventMeta)");
        assertThat(function.resolve("tsconfig.json")).exists();
        assertThat(function.resolve("handler.js")).doesNotExist();

        assertThat(fn("deploy", function.toString())).isZero();
        Files.writeString(function.resolve("handler.ts"), ";;");
        assertThat(fn("deploy", function.toString())).isEqualTo(1);
        assertThat(talk()).contains("handler.ts:3:7: two semicolons");

        Path kept = home.resolve("kept");
        assertThat(fn("export", kept.toString())).isZero();
        assertThat(kept.resolve("totals/handler.ts")).content().contains("meta: EventMeta");
    }

    @Test
    void diff_saysWithItsStatusWhetherThereIsOne() throws IOException {
        Path function = created("totals");
        assertThat(fn("diff", function.toString())).isEqualTo(1);
        assertThat(talk()).contains("There is no function totals");
        assertThat(fn("import", function.toString())).isZero();

        assertThat(fn("diff", function.toString())).isZero();
        write(function, "other");
        assertThat(fn("diff", function.toString())).isEqualTo(1);
        assertThat(data()).contains("+other");
    }

    @Test
    void lifecycle_waitsForTheState() {
        assertThat(fn("deploy", created("totals").toString())).isZero();

        assertThat(fn("pause", "totals")).isZero();
        assertThat(data()).isEqualTo("totals is paused\n");
        assertThat(fn("resume", "totals")).isZero();
        assertThat(fn("rm", "totals", "--force")).isZero();
        assertThat(suite.functions()).isEmpty();
        assertThat(fn("show", "totals")).isEqualTo(1);
    }

    @Test
    void rollback_goesToTheVersionBefore() throws IOException {
        Path function = created("totals");
        assertThat(fn("deploy", function.toString())).isZero();
        write(function, "other");
        assertThat(fn("deploy", function.toString())).isZero();

        assertThat(fn("rollback", "totals")).isZero();

        assertThat(data()).isEqualTo("totals is at version 3, which is version 1 again\n");
    }

    @Test
    void rollback_passesOverACanaryThatWasRolledBack() throws IOException {
        Path function = created("totals");
        assertThat(fn("deploy", function.toString())).isZero();
        write(function, "canary");
        assertThat(fn("deploy", function.toString())).isZero();
        suite.rollBackCanary("totals");
        write(function, "other");
        assertThat(fn("deploy", function.toString())).isZero();

        assertThat(fn("rollback", "totals")).isZero();

        assertThat(data()).isEqualTo("totals is at version 4, which is version 1 again\n");
    }

    @Test
    void replay_handlesAllDeadLettersWithTheDeployedCodeOrADraft() throws IOException {
        Path function = created("totals");

        assertThat(fn("replay", "totals")).isZero();
        assertThat(data()).isEqualTo("7 dead letters of totals are replayed\n");
        assertThat(fn("replay", "totals", "--draft", function.toString())).isZero();
        assertThat(data()).isEqualTo("totals: 5 dead letters handled, 0 failed, 0 left\n");
        write(function, "bad");
        assertThat(fn("replay", "totals", "--draft", function.toString())).isEqualTo(1);
        assertThat(data()).endsWith("1 failed, 0 left\n  1-10: Error: no (2:0)\n");
        assertThat(suite.changes).contains("POST /api/v1/functions/totals/dead-letters/replay");
    }

    @Test
    void runDry_asksTheSuite() throws IOException {
        Path function = created("totals");
        write(function, "draft");

        assertThat(fn("run", "totals", "--dry", "--last", "10", "--draft", function.toString(), "--compare", "3"))
                .isZero();
        assertThat(data())
                .contains(
                        "OnUpdate of '7': success",
                        "{\"definition\":{",
                        "\"depcfg\":{",
                        "\"appcode\":\"draft\"",
                        "\"last\":10,\"compare\":{\"version\":3}}");
        assertThat(fn("run", "totals", "--dry", "--id", "8", "--document", "{\"n\": 1}"))
                .isZero();
        assertThat(data()).contains("{\"change\":{\"id\":\"8\",\"document\":{\"n\":1}}}");
        Path given = Files.writeString(
                home.resolve("given.json"),
                "{\"now\": \"2026-01-01T00:00:00Z\", \"sql\": [], \"secrets\": {\"KEY\": \"k\"}}");
        assertThat(fn("run", "totals", "--dry", "--given", given.toString())).isZero();
        assertThat(data()).contains("{\"sql\":[],\"secrets\":{\"KEY\":\"k\"},\"document\":{\"id\":\"1\"}}");
        assertThat(fn("run", "totals", "--dry")).isZero();
        assertThat(data()).contains("{\"document\":{\"id\":\"1\"}}");
    }

    @Test
    void recordedAnswers_areWrittenWithThoseThatWereGiven_forTheNextRun() throws IOException {
        Path given = Files.writeString(
                home.resolve("given.json"), "{\"responses\": [{\"status\": 201}], \"now\": \"2026-01-01T00:00:00Z\"}");
        Path answers = home.resolve("answers.json");

        assertThat(fn("run", "totals", "--dry", "--given", given.toString(), "--record", answers.toString()))
                .isZero();

        assertThat(data()).contains("\"record\":true}");
        assertThat(talk()).contains("1 answers are recorded in " + answers, "not recorded: SELECT 1: too large");
        assertThat(answers).content().isEqualToIgnoringWhitespace("""
                {"responses": [{"status": 201}, {"url": "http://rates/eur"}], "now": "2026-01-01T00:00:00Z", "sql": []}""");
        assertThat(fn("run", "totals", "--dry", "--given", answers.toString())).isZero();
        assertThat(data()).contains("{\"responses\":[{\"status\":201},{\"url\":\"http://rates/eur\"}],\"sql\":[],");
        assertThat(fn("run", home.toString(), "--record", answers.toString())).isEqualTo(1);
        assertThat(talk()).contains("--record work with --dry only");
    }

    @Test
    void trace_isATreeOfWhatLedToWhat() {
        assertThat(fn("trace", "--document", "a")).isZero();

        assertThat(data().lines().toList())
                .containsExactly(
                        "trace 4bf9, 2026-11-23T10:00:00Z, 1.500 ms",
                        "  PUT                                    0.300 ms  document=a user=ann",
                        "    queue                                0.200 ms  ",
                        "      OnUpdate                           1.000 ms  function=totals error=no");
    }

    @Test
    void trace_thatIsNotThere_saysHowToGetOne() {
        assertThat(fn("trace", "totals")).isEqualTo(1);
        assertThat(talk()).contains("send the header traceparent");
        assertThat(fn("trace")).isEqualTo(1);
        assertThat(talk()).contains("Give the name of a function, or one of");
        assertThat(fn("trace", "totals", "--document", "a")).isEqualTo(1);
    }

    @Test
    void logs_areOldestFirst() {
        assertThat(fn("logs", "totals")).isZero();

        assertThat(data()).isEqualTo("oldest\nnewest\n");
    }

    @Test
    void dev_deploysWhenAFileIsSaved() throws Exception {
        Path function = created("totals");
        Thread dev = Thread.ofVirtual().start(() -> fn("dev", function.toString()));
        try {
            await().untilAsserted(() -> assertThat(suite.functions()).containsExactly("totals deployed 1"));
            write(function, "function OnUpdate(doc) {;;}");
            await().untilAsserted(() -> assertThat(talk()).contains("two semicolons"));
            write(function, "function OnUpdate(doc) {}");

            await().untilAsserted(() -> assertThat(suite.functions()).containsExactly("totals deployed 2"));
            assertThat(suite.changes).contains("PUT /api/v1/buckets/orders");
        } finally {
            dev.interrupt();
            dev.join();
        }
    }
}

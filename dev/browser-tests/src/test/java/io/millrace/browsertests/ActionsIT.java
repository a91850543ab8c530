package io.millrace.browsertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every action of the console is in the audit trail, with its user and what it was: the table has each place in the code of the
 * console that makes a request which changes something, the request, and the name of the event. Documents are data: writing them
 * is not an administrative act.
 */
@ExtendWith(RealBrowser.class)
@Order(4)
class ActionsIT {

    private static final Path CODE = Store.ROOT.resolve("console/src");

    private static final String NOT_AN_ACT = "-";

    /** The requests name what does not exist: the trail says what was asked for before it is carried out. */
    private static final List<Action> ACTIONS = Action.table("""
            documents.createBucket     | PUT api/v1/buckets/audited                                      | bucket.create
            documents.createScope      | PUT api/v1/buckets/audited/scopes/shop                          | collections.manage
            documents.createCollection | PUT api/v1/buckets/audited/scopes/shop/collections/carts        | collections.manage
            documents.write            | PUT api/v1/buckets/audited/docs/absent                          | -
            documents.touch            | POST api/v1/buckets/audited/docs/absent/touch                   | -
            documents.xattrs           | PUT api/v1/buckets/audited/docs/absent/xattrs                   | -
            documents.remove           | DELETE api/v1/buckets/audited/docs/absent                       | -
            documents.deleteBucket     | DELETE api/v1/buckets/audited                                   | bucket.delete
            queries                    | POST query/service                                              | -
            create                     | POST api/v1/streams/Audited-1/events                            | -
            functions.save             | POST api/v1/functions/audited                                   | function.save
            functions.putLive          | POST api/v1/functions/audited_live?restart=true                 | function.save
            functions.code             | POST api/v1/functions/audited/appcode                           | functions.manage
            functions.check            | POST api/v1/functions/audited/appcode/check                     | -
            functions.settings         | POST api/v1/functions/audited/settings                          | function.settings
            functions.deploy           | POST api/v1/functions/audited/deploy                            | functions.manage
            functions.move             | POST api/v1/functions/audited/undeploy                          | functions.manage
            functions.move             | POST api/v1/functions/audited/pause                             | functions.manage
            functions.move             | POST api/v1/functions/audited/resume                            | functions.manage
            functions.rollback         | POST api/v1/functions/audited/versions/1/rollback?restart=true  | functions.manage
            functions.startCanary      | POST api/v1/functions/audited/canary                            | functions.manage
            functions.endCanary        | POST api/v1/functions/audited/canary/promote                    | functions.manage
            functions.endCanary        | POST api/v1/functions/audited/canary/rollback                   | functions.manage
            functions.debug            | POST api/v1/functions/audited/debug                             | functions.manage
            functions.endDebugger      | DELETE api/v1/functions/audited/debug                           | functions.manage
            functions.replay           | POST api/v1/functions/audited/dead-letters/replay               | functions.manage
            functions.replay           | POST api/v1/functions/audited/dead-letters/absent/replay        | functions.manage
            functions.drop             | DELETE api/v1/functions/audited/dead-letters                    | functions.manage
            functions.drop             | DELETE api/v1/functions/audited/dead-letters/absent             | functions.manage
            functions.timer            | POST api/v1/functions/audited/timers/fire                       | functions.manage
            functions.timer            | POST api/v1/functions/audited/timers/move                       | functions.manage
            functions.timer            | POST api/v1/functions/audited/timers/cancel                     | functions.manage
            functions.remove           | DELETE api/v1/functions/audited                                 | function.delete
            functions.library          | PUT api/v1/libraries/audited/versions/1.0.0                     | functions.manage
            functions.removeLibrary    | DELETE api/v1/libraries/audited/versions/1.0.0                  | functions.manage
            dryRun                     | POST api/v1/functions/audited/dry-run                           | functions.manage
            replay                     | POST api/v1/functions/fold/dry-run                              | functions.manage
            upload                     | POST api/v1/import                                              | functions.manage
            access.user                | PUT settings/rbac/users/local/absent                            | user.set
            access.removeUser          | DELETE settings/rbac/users/local/absent                         | user.delete
            access.key                 | POST api/v1/keys                                                | key.create
            access.removeKey           | DELETE api/v1/keys/absent                                       | key.delete
            access.secret              | PUT api/v1/secrets/audited                                      | functions.manage
            access.removeSecret        | DELETE api/v1/secrets/audited                                   | functions.manage
            cluster.rebalance          | POST api/v1/topology/rebalance                                  | cluster.manage
            cluster.failover           | POST api/v1/topology/failover                                   | cluster.manage
            cluster.stop               | DELETE api/v1/topology/tasks/absent                             | cluster.manage
            access.logOut              | DELETE api/v1/session                                           | -
            """);

    /** Requests that a page offers as a command and does not make: an example of a write, and of an event. */
    private static final List<String> OFFERED = List.of("traces", "Streams");

    private static final Pattern MEMBER = Pattern.compile("^  (\\w+): \\(.*", Pattern.MULTILINE);
    private static final Pattern CHANGES = Pattern.compile("method: '(PUT|POST|DELETE)'");

    private static final String SEND = """
            const [actions] = arguments;
            return (async () => {
              for (const [method, path] of actions) {
                const response = await fetch('/' + path, {
                  method, headers: {'Content-Type': 'application/json'}, ...(method === 'DELETE' ? {} : {body: '"absent"'}),
                });
                await response.text();
              }
            })();
            """;

    /** What the console can do: where its code makes the request, the request, and the name of the line in the trail. */
    private record Action(String key, String method, String path, String event) {

        static List<Action> table(String rows) {
            return rows.lines()
                    .map(row -> {
                        List<String> cells = Arrays.stream(row.split("\\|"))
                                .map(String::strip)
                                .toList();
                        String[] request = cells.get(1).split(" ");
                        return new Action(cells.get(0), request[0], request[1], cells.get(2));
                    })
                    .toList();
        }

        /** As the trail has it: without what follows the path. */
        String resource() {
            return method + " /" + path.split("\\?")[0];
        }
    }

    /** One line of a trail. */
    private record Line(String event, String resource, String user, String outcome) {}

    @Test
    void table_hasEveryRequestOfTheConsoleThatChangesSomething() {
        assertThat(keysInTheCode())
                .as("what the code of the console can do; an action that is new needs a line in the table")
                .containsExactlyInAnyOrderElementsOf(
                        ACTIONS.stream().map(Action::key).distinct().toList());
    }

    @Test
    void everyAction_isInTheAuditTrailWithItsUser(Browser browser, Store store) {
        Samples.once(store, browser);
        browser.open("/console/");
        browser.awaitText("h1", "Home");
        String began = Instant.now().toString();

        browser.run(
                SEND,
                ACTIONS.stream()
                        .map(action -> List.of(action.method(), action.path()))
                        .toList());
        browser.logIn(); // the last of the actions ends the session

        List<Line> expected = ACTIONS.stream()
                .filter(action -> !action.event().equals(NOT_AN_ACT))
                .map(action -> new Line(action.event(), action.resource(), Store.LOGIN.user(), "allowed"))
                .toList();
        await().atMost(Store.PATIENCE)
                .untilAsserted(() -> assertThat(trail(store, began)).containsAll(expected));
        List<String> noActs = ACTIONS.stream()
                .filter(action -> action.event().equals(NOT_AN_ACT))
                .map(Action::resource)
                .toList();
        assertThat(trail(store, began)).extracting(Line::resource).doesNotContainAnyElementsOf(noActs);
    }

    private static List<Line> trail(Store store, String from) {
        List<Line> lines = new ArrayList<>();
        store.get("/api/v1/audit?max=1000&last=1000&user=" + Store.LOGIN.user() + "&from=" + from)
                .path("lines")
                .forEach(line -> lines.add(new Line(
                        line.path("name").asString(""),
                        line.path("resource").asString(""),
                        line.at("/real_userid/user").asString(""),
                        line.path("outcome").asString(""))));
        return lines;
    }

    /** Names of members of {@code calls} that are not reads, and files of features with a request of their own. */
    private static List<String> keysInTheCode() {
        try (Stream<Path> files = Files.walk(CODE)) {
            return files.filter(file -> file.toString().matches(".*\\.tsx?"))
                    .sorted()
                    .flatMap(file -> keysIn(file).stream())
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> keysIn(Path file) {
        String name = Objects.requireNonNull(file.getFileName()).toString().replaceAll("\\.tsx?$", "");
        if (OFFERED.contains(name)) {
            return List.of();
        }
        String code;
        try {
            code = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int begin = code.indexOf("export const calls = {");
        if (begin < 0) {
            return CHANGES.matcher(code).find() ? List.of(name) : List.of();
        }
        int end = code.indexOf("\n};", begin);
        assertThat(CHANGES.matcher(code.substring(0, begin) + code.substring(end))
                        .find())
                .as("requests of %s stand in its calls", file)
                .isFalse();
        return members(name, code.substring(begin, end));
    }

    private static List<String> members(String file, String calls) {
        List<String> keys = new ArrayList<>();
        Matcher member = MEMBER.matcher(calls);
        while (member.find()) {
            String rest = calls.substring(member.end(1));
            int next = rest.indexOf("\n  },") < 0 ? rest.length() : rest.indexOf("\n  },");
            String own = member.group().contains("method:") ? member.group() : rest.substring(0, next);
            if (CHANGES.matcher(own).find()) {
                keys.add(file + "." + member.group(1));
            }
        }
        return keys;
    }
}

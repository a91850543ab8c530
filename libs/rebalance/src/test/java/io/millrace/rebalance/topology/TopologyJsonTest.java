package io.millrace.rebalance.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.rebalance.Layout;
import io.millrace.rebalance.VbucketSet;
import io.millrace.rebalance.topology.Order.Token;
import io.millrace.rebalance.topology.TaskList.Task;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopologyJsonTest {

    private static final TopologyChange MESSAGE = TopologyChange.of(
            "c1",
            "7",
            TopologyChange.Type.REBALANCE,
            new TreeSet<>(List.of("EN1", "EN2")),
            new TreeSet<>(List.of("EN3")));

    @Test
    void topologyChange_hasTheFieldsOfTheDesign() {
        assertThat(text(MESSAGE)).isEqualTo("""
            {"id":"c1","currentTopologyRev":"7","type":"topology-change-rebalance","keepNodes":[\
            {"nodeInfo":{"nodeId":"EN1","priority":0,"opaque":null},"recoveryType":"recovery-full"},\
            {"nodeInfo":{"nodeId":"EN2","priority":0,"opaque":null},"recoveryType":"recovery-full"}],\
            "ejectNodes":[{"nodeId":"EN3","priority":0,"opaque":null}]}\
            """);
        assertThat(TopologyJson.read(TopologyJson.write(MESSAGE), TopologyChange.class))
                .isEqualTo(MESSAGE);
    }

    @Test
    void task_hasTheFieldsOfTheDesign() {
        TreeMap<String, Double> byNode = new TreeMap<>();
        byNode.put("EN1", 0.5);
        TreeMap<String, VbucketSet> waited = new TreeMap<>();
        waited.put("f", VbucketSet.parse("3,5-9"));
        waited.put("g", VbucketSet.NONE);
        Task task = Task.rebalance("8", "c1", 0.5, byNode, PendingVbuckets.extra(waited));

        assertThat(text(task)).isEqualTo("""
            {"rev":"8","id":"c1","type":"task-rebalance","status":"task-running","isCancelable":true,"progress":0.5,\
            "detailedProgress":{"EN1":0.5},"description":"rebalancing","extra":{"waitedFor":{"f":"3,5-9"}}}\
            """);
        assertThat(TopologyJson.read(TopologyJson.write(task), Task.class)).isEqualTo(task);
        assertThat(text(Task.failed("8", "c1", Task.Type.PREPARED, "no")))
                .contains("\"task-prepared\"", "\"task-failed\"", "\"errorMessage\":\"no\"");
    }

    @Test
    void pendingVbuckets_areNamedWithinLimits() {
        TreeMap<String, VbucketSet> waited = new TreeMap<>();
        for (int function = 10; function < 40; function++) {
            waited.put("f" + function, VbucketSet.of(IntStream.range(0, 512).map(i -> 2 * i)));
        }
        Task task = Task.rebalance("8", "c1", 0.5, new TreeMap<>(), PendingVbuckets.extra(waited));

        assertThat(text(task)).contains("\"f10\":\"0,2,4,", "30,... (512 in total)\"", "\"furtherFunctions\":10");
        assertThat(text(task)).hasSizeLessThan(3000);
    }

    @Test
    void stateOfTheCluster_isParsedBack() {
        TreeMap<String, VbucketSet> shares = new TreeMap<>();
        shares.put("EN1", VbucketSet.parse("0-3,9"));
        Change change = Change.prepare(MESSAGE, shares, new TreeSet<>(List.of("EN4")), 5)
                .start("EN1", 6);
        Layout layout = change.target().frozen(List.of("EN1", "EN3"));
        Token token = new Token("c1", "EN1");

        assertThat(TopologyJson.read(TopologyJson.write(change), Change.class)).isEqualTo(change);
        assertThat(TopologyJson.read(TopologyJson.write(layout), Layout.class)).isEqualTo(layout);
        assertThat(TopologyJson.read(TopologyJson.write(token), Token.class)).isEqualTo(token);
        assertThat(text(layout)).contains("\"previous\":{\"EN1\":\"0-3,9\"}");
    }

    @Test
    void change_ofAnEarlierVersion_ejectedNoNode() {
        Change change = Change.prepare(MESSAGE, new TreeMap<>(), new TreeSet<>(), 5);
        String earlier = text(change).replace(",\"out\":[]", "");

        assertThat(earlier).doesNotContain("out");
        assertThat(TopologyJson.read(earlier.getBytes(StandardCharsets.UTF_8), Change.class))
                .isEqualTo(change);
    }

    @Test
    void fieldsOfALaterVersion_areIgnored() {
        assertThat(TopologyJson.read(
                        "{\"id\":\"c\",\"master\":\"m\",\"new\":1}".getBytes(StandardCharsets.UTF_8), Token.class))
                .isEqualTo(new Token("c", "m"));
    }

    private static String text(Object message) {
        return new String(TopologyJson.write(message), StandardCharsets.UTF_8);
    }
}

package io.millrace.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlannerTest {

    private static final VbucketSet ALL = VbucketSet.range(0, 1023);

    @Test
    void plan_matchesTheDesign() {
        Plan before = Planner.DEFAULT.contiguous(List.of("EN1"));
        Plan after = Planner.DEFAULT.contiguous(List.of("EN1", "EN2"));

        assertThat(before.workers("EN1", 3)).hasToString("[0-341, 342-682, 683-1023]");
        assertThat(after.workers("EN1", 3)).hasToString("[0-170, 171-341, 342-511]");
        assertThat(after.workers("EN2", 3)).hasToString("[512-682, 683-853, 854-1023]");
    }

    @Test
    void plan_ofAnyNodes_assignsEveryVbucketOnceInEqualShares() {
        Random random = new Random(8);
        for (int round = 0; round < 500; round++) {
            List<String> nodes = nodes(random);

            Plan plan = Planner.DEFAULT.contiguous(nodes);

            requireFair(plan, nodes);
            for (VbucketSet share : plan.shares().values()) {
                assertThat(share.toString()).as("one run").doesNotContain(",");
                requireParts(share, share.split(1 + random.nextInt(64)));
            }
        }
    }

    @Test
    void plan_doesNotDependOnTheOrderOfNodes() {
        Random random = new Random(9);
        List<String> nodes = nodes(random);
        List<String> shuffled = new ArrayList<>(nodes);
        shuffled.add(nodes.getFirst());
        Collections.shuffle(shuffled, random);

        assertThat(Planner.DEFAULT.contiguous(shuffled)).isEqualTo(Planner.DEFAULT.contiguous(nodes));
        assertThat(Planner.DEFAULT.leastMovement(Map.of(), shuffled))
                .isEqualTo(Planner.DEFAULT.leastMovement(Map.of(), nodes));
    }

    @Test
    void leastMovement_overAnyHistory_isFairAndMovesOnlyWhatIsNecessary() {
        Random random = new Random(10);
        Map<String, VbucketSet> before = new TreeMap<>();
        for (int round = 0; round < 500; round++) {
            List<String> nodes = nodes(random);

            Plan plan = Planner.DEFAULT.leastMovement(before, nodes);

            requireFair(plan, nodes);
            int must = 1024;
            List<Integer> had = new ArrayList<>();
            for (String node : nodes) {
                had.add(before.containsKey(node) ? before.get(node).size() : 0);
            }
            had.sort(Collections.reverseOrder());
            for (int i = 0; i < nodes.size(); i++) {
                must -= Math.min(had.get(i), 1024 / nodes.size() + (i < 1024 % nodes.size() ? 1 : 0));
            }
            assertThat(plan.movedSince(before)).isEqualTo(must);
            before = plan.shares();
        }
    }

    @Test
    void leastMovement_withAnAdditionalNode_movesOnlyItsShare() {
        Plan three = Planner.DEFAULT.contiguous(List.of("a", "b", "c"));

        Plan four = Planner.DEFAULT.leastMovement(three.shares(), List.of("a", "b", "c", "d"));

        assertThat(four.movedSince(three.shares())).isEqualTo(256);
        assertThat(Planner.DEFAULT.contiguous(List.of("a", "b", "c", "d")).movedSince(three.shares()))
                .isGreaterThan(256);
    }

    @Test
    void plan_withoutNodes_isEmpty() {
        assertThat(Planner.DEFAULT.contiguous(List.of()).shares()).isEmpty();
        assertThat(Planner.DEFAULT.leastMovement(Map.of("a", ALL), List.of()).shares())
                .isEmpty();
    }

    private static List<String> nodes(Random random) {
        List<String> nodes = new ArrayList<>();
        for (int left = 1 + random.nextInt(random.nextInt(8) == 0 ? 1100 : 20); left > 0; left--) {
            nodes.add("node-" + left * (1 + random.nextInt(2)));
        }
        return nodes.stream().distinct().toList();
    }

    private static void requireFair(Plan plan, List<String> nodes) {
        assertThat(plan.shares()).containsOnlyKeys(nodes);
        requireParts(ALL, List.copyOf(plan.shares().values()));
    }

    private static void requireParts(VbucketSet whole, List<VbucketSet> parts) {
        VbucketSet sum = VbucketSet.NONE;
        for (VbucketSet part : parts) {
            assertThat(sum.and(part).isEmpty())
                    .as("no other part contains %s", part)
                    .isTrue();
            sum = sum.plus(part);
        }
        assertThat(sum).isEqualTo(whole);
        int least = parts.stream().mapToInt(VbucketSet::size).min().orElse(0);
        int most = parts.stream().mapToInt(VbucketSet::size).max().orElse(0);
        assertThat(most - least).isLessThanOrEqualTo(1);
    }
}

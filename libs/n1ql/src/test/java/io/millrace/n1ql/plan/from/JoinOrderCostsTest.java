package io.millrace.n1ql.plan.from;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.n1ql.plan.from.JoinOrder.Costs;
import io.millrace.n1ql.plan.from.JoinOrder.Link;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search for the order of joins, compared with trying every order. */
class JoinOrderCostsTest {

    private static final int MOST_TERMS_OF_ALL_ORDERS = 6;

    private static final List<Link> LINKS = List.of(Link.values());

    private final Random random = new Random(8);

    private Costs costs(int terms) {
        double[] reads = new double[terms];
        double[] rows = new double[terms];
        Link[][] links = new Link[terms][terms];
        for (int i = 0; i < terms; i++) {
            rows[i] = Math.floor(Math.pow(10, random.nextDouble() * 6)) - 1;
            reads[i] = random.nextInt(8) == 0 ? Double.POSITIVE_INFINITY : rows[i] * (1 + random.nextInt(9));
            for (int j = 0; j < terms; j++) {
                links[i][j] = LINKS.get(random.nextInt(LINKS.size()));
            }
        }
        return new Costs(reads, rows, links);
    }

    private static double least(Costs costs, int[] order, int at) {
        if (at == order.length) {
            return costs.of(order);
        }
        double least = Double.POSITIVE_INFINITY;
        for (int i = at; i < order.length; i++) {
            swap(order, at, i);
            least = Math.min(least, least(costs, order, at + 1));
            swap(order, at, i);
        }
        return least;
    }

    private static void swap(int[] order, int i, int j) {
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }

    /** The rows of a set of terms are estimated by the order of its best plan, so the search may miss the least by a little. */
    @Test
    void search_findsAnOrderThatCostsLittleMoreThanTheLeast() {
        int exact = 0;
        for (int round = 0; round < 300; round++) {
            int terms = 2 + random.nextInt(MOST_TERMS_OF_ALL_ORDERS - 1);
            Costs costs = costs(terms);
            int[] order = new int[terms];
            for (int i = 0; i < terms; i++) {
                order[i] = i;
            }
            double least = least(costs, order, 0);
            double found = costs.of(costs.best());

            assertThat(found).isGreaterThanOrEqualTo(least);
            exact += found == least ? 1 : 0;
        }
        assertThat(exact).isGreaterThan(240);
    }

    @Test
    void eightTerms_startWithTheOneThatHasARow() {
        int terms = 8;
        double[] rows = new double[terms];
        double[] reads = new double[terms];
        Link[][] links = new Link[terms][terms];
        for (int i = 0; i < terms; i++) {
            rows[i] = i == 7 ? 1 : 1000;
            reads[i] = 9 * rows[i];
            for (int j = 0; j < terms; j++) {
                links[i][j] = Math.abs(i - j) == 1 ? Link.KEY : Link.NONE;
            }
        }
        Costs costs = new Costs(reads, rows, links);

        assertThat(costs.best()).containsExactly(7, 6, 5, 4, 3, 2, 1, 0);
        assertThat(costs.of(costs.best())).isCloseTo(9 + 7 * 12, within(0.001));
    }
}

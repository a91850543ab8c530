package io.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.ScaleoutReport.Kind;
import io.millrace.benchmarks.ScaleoutReport.Part;
import io.millrace.benchmarks.ScaleoutReport.Row;
import io.millrace.benchmarks.ScaleoutReport.Usage;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScaleoutReportTest {

    private static final Usage QUIET =
            new Usage(5, 0, Map.of(new Part(Kind.REDIS, 0), 100.0, new Part(Kind.SERVICE, 1), 25.0), new TreeMap<>());

    @Test
    void details_tellCpuPerMutationAndOfEachNode() {
        String text = ScaleoutReport.details(new Row(2, twoNodes(), QUIET));

        assertThat(text)
                .contains("2 nodes: 800 handled/s in 10 s; cores busy: 0: 98 %, 1: 99 %")
                .contains("CPU per mutation in us: 2,350: workers 2,000.0, eventing-services 100.0, Redis 200.0")
                .contains("1: service 3.0, worker 80.0; 2: service 5.0, worker 80.0")
                .contains("with nothing to do, CPU in % of a core: workers 0.0, eventing-services 0.5, Redis 2.0");
    }

    @Test
    void table_comparesWithOneNode() {
        ScaleoutReport report = new ScaleoutReport();
        report.add(new Row(1, oneNode(), QUIET));
        report.add(new Row(2, twoNodes(), QUIET));

        assertThat(report.table().lines())
                .contains("| 1 | 400 | 1.00 | 60 % | 2,350 | 350 |")
                .contains("| 2 | 800 | 2.00 | 98 % | 2,350 | 350 |");
    }

    @Test
    void bounds_followFromTheCpuOfNodesAndOfRedis() {
        ScaleoutReport report = new ScaleoutReport();
        report.add(new Row(2, twoNodes(), QUIET));

        assertThat(report.bounds())
                .contains("85 % of the CPU is used by the workers")
                .contains("carries 476 mutations/s of a node")
                .contains("Redis uses 200 us of each, so that one core of it carries 5,000/s")
                .contains("11 such nodes");
    }

    @Test
    void cores_thatTheSystemDoesNotTellOf_areLeftOut() {
        Usage unknown = new Usage(10, 8000, twoNodes().cpuMillis(), new TreeMap<>());
        ScaleoutReport report = new ScaleoutReport();
        report.add(new Row(2, unknown, QUIET));

        assertThat(ScaleoutReport.details(new Row(2, unknown, QUIET))).contains("not reported by the system");
        assertThat(report.table()).contains("| 2 | 800 | 1.00 |  | 2,350 | 350 |");
        assertThat(report.bounds()).contains("not measured");
    }

    private static Usage oneNode() {
        return new Usage(
                10,
                4000,
                Map.of(
                        new Part(Kind.WORKER, 1), 8000.0,
                        new Part(Kind.SERVICE, 1), 400.0,
                        new Part(Kind.REDIS, 0), 800.0,
                        new Part(Kind.WRITER, 0), 160.0,
                        new Part(Kind.OTHERS, 0), 40.0),
                new TreeMap<>(Map.of(0, 20.0, 1, 99.0)));
    }

    private static Usage twoNodes() {
        return new Usage(
                10,
                8000,
                Map.of(
                        new Part(Kind.WORKER, 1), 8000.0,
                        new Part(Kind.WORKER, 2), 8000.0,
                        new Part(Kind.SERVICE, 1), 300.0,
                        new Part(Kind.SERVICE, 2), 500.0,
                        new Part(Kind.REDIS, 0), 1600.0,
                        new Part(Kind.WRITER, 0), 320.0,
                        new Part(Kind.OTHERS, 0), 80.0),
                new TreeMap<>(Map.of(0, 97.5, 1, 98.5)));
    }
}

package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard for Grafana: it names only metrics that there are. */
class DashboardTest {

    private static final Path DASHBOARD = Path.of("../../docs/grafana/millrace.json");
    private static final Path METRICS = Path.of("../../docs/reference/metrics.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_0-9]+)` \\| ([a-z]+) \\|");
    private static final Pattern NAMED = Pattern.compile("\\b(?:eventing|millrace)_[a-z_0-9]+");
    private static final String BINS = "_bucket";

    @Test
    void everyMetricOfTheDashboard_isInTheReference() throws Exception {
        Map<String, String> metrics = ROW.matcher(Files.readString(METRICS))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));

        Set<String> named = named(JsonMapper.shared().readTree(Files.readString(DASHBOARD)));

        assertThat(named).hasSizeGreaterThan(20).allSatisfy(metric -> {
            String name = metric.endsWith(BINS) ? metric.substring(0, metric.length() - BINS.length()) : metric;
            assertThat(metrics).as(metric).containsKey(name);
            assertThat("histogram".equals(metrics.get(name))).as(metric).isEqualTo(metric.endsWith(BINS));
        });
    }

    private static Set<String> named(JsonNode dashboard) {
        Set<String> found = new TreeSet<>();
        for (String member : List.of("expr", "definition")) {
            for (JsonNode expression : dashboard.findValues(member)) {
                Matcher metrics = NAMED.matcher(expression.asString());
                while (metrics.find()) {
                    found.add(metrics.group());
                }
            }
        }
        return found;
    }
}

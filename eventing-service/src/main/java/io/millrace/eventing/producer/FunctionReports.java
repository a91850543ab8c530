package io.millrace.eventing.producer;

import io.millrace.eventing.metrics.FunctionLog;
import io.millrace.eventing.runtime.RuntimeEnvironment;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.workerprotocol.LogLine;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Passes on what the workers of one function report for people. */
final class FunctionReports implements FunctionLog {

    private static final Logger LOG = LoggerFactory.getLogger(FunctionReports.class);

    private final String function;
    private final RuntimeEnvironment environment;

    FunctionReports(String function, RuntimeEnvironment environment) {
        this.function = function;
        this.environment = environment;
    }

    @Override
    public void append(List<LogLine> lines) {
        environment.log().append(function, lines);
    }

    @Override
    public void traced(byte[] spans) {
        Map<String, String> here = Map.of(Attribute.FUNCTION, function, Attribute.NODE, environment.node());
        try {
            environment
                    .spans()
                    .accept(Span.listOfJson(spans).stream()
                            .map(span -> span.with(here))
                            .toList());
        } catch (JacksonException e) {
            LOG.warn("event=spans_unreadable function={} reason=\"{}\"", function, e.getOriginalMessage());
        }
    }
}

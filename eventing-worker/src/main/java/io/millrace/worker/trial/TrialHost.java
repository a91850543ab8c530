package io.millrace.worker.trial;

import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.HttpCall;
import io.millrace.handler.host.PublishCall;
import io.millrace.handler.host.QueryCall;
import io.millrace.handler.host.QueryCall.QueryRows;
import io.millrace.handler.host.SqlCall;
import io.millrace.handler.host.TimerCall;
import io.millrace.worker.bindings.BucketHost;
import io.millrace.worker.bindings.TopicBinding;
import io.millrace.worker.curl.Urls;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import io.millrace.workerprotocol.WorkerSetup;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** The host of a worker on the stores of a trial, which shows what it is asked for and sends nothing but what is recorded. */
final class TrialHost implements HandlerHost {

    private final BucketHost bindings;
    private final WorkerSetup setup;
    private final Answers answers;
    private final Effects effects;
    private final @Nullable InstantSource clock;
    private final LogLevel threshold;
    private final Map<ObjectNode, QueryCall> run = new IdentityHashMap<>();
    private final Map<String, JsonNode> plans = new HashMap<>();

    /** @param clock what {@code Date} shows, or null for the machine's */
    TrialHost(BucketHost bindings, WorkerSetup setup, Answers answers, Effects effects, @Nullable InstantSource clock) {
        this.bindings = bindings;
        this.setup = setup;
        this.answers = answers;
        this.effects = effects;
        this.clock = clock;
        this.threshold = LogLevel.valueOf(setup.logLevel());
    }

    @Override
    public @Nullable StoredDocument get(String alias, String id) throws HostFailure {
        return bindings.get(alias, id);
    }

    @Override
    public void upsert(String alias, String id, StoredDocument document) throws HostFailure {
        bindings.upsert(alias, id, document);
    }

    @Override
    public boolean delete(String alias, String id, boolean mustExist) throws HostFailure {
        return bindings.delete(alias, id, mustExist);
    }

    @Override
    public DocumentCall.DocumentAnswer access(DocumentCall call) throws HostFailure {
        return bindings.access(call);
    }

    @Override
    public HttpCall.Answer curl(HttpCall call) throws HostFailure {
        String url = url(call.binding());
        try {
            Answers.Given given = response(call, url);
            effects.request(call, url, given.answer(), given.assumed());
            return given.answer();
        } catch (HostFailure e) {
            effects.request(call, url, null, false);
            throw e;
        }
    }

    private Answers.Given response(HttpCall call, String url) throws HostFailure {
        Optional<Answers.Given> given = answers.response(call, url);
        if (given.isPresent()) {
            return given.get();
        }
        Recording recording = answers.recording();
        if (recording == null || !recording.covers(call)) {
            return answers.noResponse(call);
        }
        String target = Urls.of(url, call).toString();
        return new Answers.Given(recording.response(call, target, () -> bindings.curl(call)), false);
    }

    private String url(String binding) {
        return setup.handler().urls().stream()
                .filter(each -> each.name().equals(binding))
                .map(HandlerSettings.Url::url)
                .findFirst()
                .orElse("");
    }

    @Override
    public SqlCall.Answer sql(SqlCall call) throws HostFailure {
        try {
            Answers.GivenSql given = answer(call);
            effects.sql(call, given.assumed());
            return given.answer();
        } catch (HostFailure e) {
            effects.sql(call, false);
            throw e;
        }
    }

    private Answers.GivenSql answer(SqlCall call) throws HostFailure {
        Optional<Answers.GivenSql> given = answers.sql(call);
        if (given.isPresent()) {
            return given.get();
        }
        Recording recording = answers.recording();
        return recording == null || !recording.covers(call)
                ? answers.noRows(call)
                : new Answers.GivenSql(recording.sql(call, () -> bindings.sql(call)), false);
    }

    @Override
    public void publish(PublishCall call) throws HostFailure {
        Topic topic = setup.handler().topics().stream()
                .filter(each -> each.name().equals(call.binding()))
                .findFirst()
                .orElseThrow(
                        () -> HostFailure.eventingError("There is no topic binding '%s'".formatted(call.binding())));
        TopicBinding.message(call, topic, ""); // fails here as it would in a worker
        effects.message(call, topic.topic(), topic.url().isEmpty() ? "" : url(topic.url()));
    }

    @Override
    public BindingDetails bindingDetails(String alias) {
        return bindings.bindingDetails(alias);
    }

    @Override
    public String createTimer(TimerCall timer) throws HostFailure {
        String reference = bindings.createTimer(timer);
        effects.timer(timer, reference);
        return reference;
    }

    @Override
    public boolean cancelTimer(String callback, String reference) throws HostFailure {
        boolean existed = bindings.cancelTimer(callback, reference);
        effects.cancelled(callback, reference, existed);
        return existed;
    }

    @Override
    public QueryRows query(QueryCall call) throws HostFailure {
        Optional<QueryRows> given = answers.rows(call);
        ObjectNode shown = effects.statement(call, given.isPresent());
        if (given.isPresent()) {
            return given.get();
        }
        run.put(shown, call);
        return bindings.query(call);
    }

    /** Adds their plans to the statements that have run since the last call. They would count as time of the code before. */
    void showPlans() {
        run.forEach((shown, call) -> {
            JsonNode plan = plans.computeIfAbsent(call.statement(), text -> plan(call));
            if (plan.isObject()) {
                shown.set("plan", plan);
            }
        });
        run.clear();
    }

    /** Returns what EXPLAIN says, missing for a statement that it cannot explain or that may not run. */
    private JsonNode plan(QueryCall call) {
        try {
            QueryRows rows = bindings.query(
                    new QueryCall(call.service(), "EXPLAIN " + call.statement(), call.named(), call.positional(), ""));
            byte[] row = rows.next();
            rows.close();
            return row == null ? MissingNode.getInstance() : Effects.json(row).path("plan");
        } catch (HostFailure e) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public int queryCursors() {
        return bindings.queryCursors();
    }

    @Override
    public @Nullable InstantSource clock() {
        return clock;
    }

    @Override
    public void stuck(String why) {
        bindings.stuck(why);
    }

    @Override
    public void log(LogLevel level, String line) {
        if (level.compareTo(threshold) <= 0) {
            effects.log(level, line);
        }
    }
}

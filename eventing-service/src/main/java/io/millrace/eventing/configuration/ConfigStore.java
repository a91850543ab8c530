package io.millrace.eventing.configuration;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.ServiceConfig;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvClient.WriteOutcome;
import io.millrace.metakv.MetakvEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The service's configuration in MetaKV, with a copy in memory that follows every change. Writing blocks. */
public final class ConfigStore implements AutoCloseable {

    static final String DIRECTORY = "/eventing/config/";
    static final String PATH = DIRECTORY + "global";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Logger LOG = LoggerFactory.getLogger(ConfigStore.class);
    private static final int MAX_ATTEMPTS = 20;

    private final MetakvClient metakv;
    private final MetakvWatch watch;
    private volatile ServiceConfig current = ServiceConfig.defaults();

    public ConfigStore(MetakvClient metakv) {
        this.metakv = metakv;
        this.watch = new MetakvWatch(metakv, DIRECTORY, this::take);
    }

    /** Begins to follow changes. */
    public void start() {
        watch.start();
    }

    @Override
    public void close() {
        watch.close();
    }

    /** Returns the options as they are now. */
    public ServiceConfig current() {
        return current;
    }

    /** Returns every option. */
    public ObjectNode show() {
        return current.toJson();
    }

    /** Merges options; fails with ERR_INVALID_CONFIG and changes nothing when one of them is invalid. */
    public void change(JsonNode changes) {
        ServiceConfig.defaults().merge(changes);
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            MetakvEntry before = MetakvCalls.read(metakv.get(PATH));
            ServiceConfig after = (before == null ? ServiceConfig.defaults() : parsed(before)).merge(changes);
            byte[] value = JSON.writeValueAsBytes(after.toJson());
            WriteOutcome outcome =
                    MetakvCalls.write(before == null ? metakv.add(PATH, value) : metakv.set(PATH, value, before.rev()));
            if (outcome instanceof WriteOutcome.Written) {
                current = after;
                return;
            }
        }
        throw FunctionsException.of(
                ErrorCode.ERR_SAVE_CONFIG, "The configuration is being changed by other requests; try again.");
    }

    private void take(MetakvEvent event) {
        if (event instanceof MetakvEvent.Changed(MetakvEntry entry)
                && entry.path().equals(PATH)) {
            current = parsed(entry);
        } else if (event instanceof MetakvEvent.Deleted(String path) && path.equals(PATH)) {
            current = ServiceConfig.defaults();
        }
    }

    private static ServiceConfig parsed(MetakvEntry entry) {
        try {
            return ServiceConfig.defaults().merge(JSON.readTree(entry.value()));
        } catch (JacksonException | FunctionsException unreadable) {
            LOG.error("event=entry_unreadable path={} reason=\"{}\"", entry.path(), unreadable.getMessage());
            return ServiceConfig.defaults();
        }
    }
}

package io.millrace.eventing.definition;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options of the service as a whole, which apply to every function. This table is their only definition. */
public enum ServiceOption {
    RAM_QUOTA(256L, new SettingRule.Whole(1, 1L << 40)),
    /** The largest code in bytes. */
    FUNCTION_SIZE(131_072L, new SettingRule.Whole(1, 2 << 20)),
    METAKV_MAX_DOC_SIZE(131_072L, new SettingRule.Whole(1, 4 << 20)),
    /** How long a request may take, in seconds. */
    HTTP_REQUEST_TIMEOUT(10L, new SettingRule.Whole(1, 600)),
    ENABLE_DEBUGGER(false, new SettingRule.Flag()),
    ENABLE_CURL(true, new SettingRule.Flag()),
    DISABLE_CURL_BINDING(false, new SettingRule.Flag()),
    ENABLE_LIFECYCLE_OPS_DURING_REBALANCE(false, new SettingRule.Flag()),
    FORCE_COMPRESS(true, new SettingRule.Flag()),
    /** Skips the recursion checks of a deployment. */
    ALLOW_INTERBUCKET_RECURSION(false, new SettingRule.Flag()),
    DEPLOYMENT_MODE("hybrid_mode", new SettingRule.OneOf(List.of("function_group", "isolate_function", "hybrid_mode"))),
    CURSOR_LIMIT(5L, new SettingRule.Whole(1, 1000)),
    NUM_NODES_RUNNING(-1L, new SettingRule.Whole(-1, 1000));

    private final Object standard;
    private final SettingRule rule;

    ServiceOption(Object standard, SettingRule rule) {
        this.standard = standard;
        this.rule = rule;
    }

    static @Nullable ServiceOption named(String jsonName) {
        return Stream.of(values())
                .filter(option -> option.jsonName().equals(jsonName))
                .findFirst()
                .orElse(null);
    }

    String jsonName() {
        return name().toLowerCase(Locale.ROOT);
    }

    Object standard() {
        return standard;
    }

    SettingRule rule() {
        return rule;
    }
}

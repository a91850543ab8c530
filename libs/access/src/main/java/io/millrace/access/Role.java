package io.millrace.access;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A role as it is granted: its name and what it is granted on. Spelled as Couchbase Server spells it: {@code admin}, {@code
 * bucket_admin[orders]}, {@code data_reader[orders:shop:carts]}; {@code data_reader[*]} is granted on every bucket.
 */
public record Role(RoleName name, Target target) {

    /** The role of full administrators. */
    public static final Role ADMIN = new Role(RoleName.ADMIN, Target.EVERYTHING);

    /** @throws IllegalArgumentException if the target is deeper than the role allows */
    public Role {
        if (target.depth() > name.level().depth()) {
            throw new IllegalArgumentException(
                    switch (name.level()) {
                        case NONE -> "The role " + name.label() + " has no parameter";
                        case TOPIC ->
                            "The role " + name.label() + " is granted on a topic without colons, such as [shop.orders]";
                        case BUCKET -> "The role " + name.label() + " is granted on a bucket, such as [orders]";
                        default ->
                            "The role " + name.label() + " is granted on a bucket or a scope, such as [orders:shop]";
                    });
        }
    }

    /**
     * Reads one role.
     *
     * @throws IllegalArgumentException if there is no such role, its target is missing, or it cannot have this target
     */
    public static Role parse(String text) {
        String trimmed = text.strip();
        int bracket = trimmed.indexOf('[');
        String label = bracket < 0 ? trimmed : trimmed.substring(0, bracket);
        RoleName name = RoleName.named(label)
                .orElseThrow(() -> new IllegalArgumentException("There is no role '" + label + "'; the roles are "
                        + Arrays.stream(RoleName.values()).map(RoleName::label).collect(Collectors.joining(", "))));
        if (bracket < 0) {
            if (name.level() != RoleName.Level.NONE) {
                throw new IllegalArgumentException("The role " + label + " needs what it is granted on, such as "
                        + label + "[orders], or " + label + "[*] for every "
                        + (name.level() == RoleName.Level.TOPIC ? "topic" : "bucket"));
            }
            return new Role(name, Target.EVERYTHING);
        }
        if (!trimmed.endsWith("]") || name.level() == RoleName.Level.NONE) {
            throw new IllegalArgumentException("'" + trimmed + "' is not a role; expected " + label
                    + (name.level() == RoleName.Level.NONE
                            ? ""
                            : name.level() == RoleName.Level.TOPIC ? "[topic]" : "[bucket]"));
        }
        return new Role(name, Target.parse(trimmed.substring(bracket + 1, trimmed.length() - 1)));
    }

    /**
     * Reads roles that are separated by commas, as Couchbase's REST takes them. An empty text has no role.
     *
     * @throws IllegalArgumentException if one of them is not a role
     */
    public static List<Role> parseAll(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",")).map(Role::parse).distinct().toList();
    }

    /**
     * Returns what it is granted on by the names that Couchbase's API has for the parts: {@code bucket_name}, {@code scope_name}
     * and {@code collection_name}, as far as the role can be granted on them, or {@code topic_name}. A part is {@code *} for all.
     */
    public Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        switch (name.level()) {
            case NONE -> {}
            case TOPIC -> parameters.put("topic_name", part(target.bucket()));
            case BUCKET, SCOPE, KEYSPACE -> {
                parameters.put("bucket_name", part(target.bucket()));
                if (name.level() != RoleName.Level.BUCKET) {
                    parameters.put("scope_name", part(target.scope()));
                }
                if (name.level() == RoleName.Level.KEYSPACE) {
                    parameters.put("collection_name", part(target.collection()));
                }
            }
        }
        return Collections.unmodifiableMap(parameters);
    }

    private static String part(@Nullable String named) {
        return named == null ? Target.ANY : named;
    }

    @Override
    public String toString() {
        return name.level() == RoleName.Level.NONE ? name.label() : name.label() + "[" + target + "]";
    }
}

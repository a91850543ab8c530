package io.millrace.subdocservice.users;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A user as MetaKV stores it: without the password, with keys to check one.
 *
 * @param roles the roles of the user
 * @param subject who the user is for checks of rights
 */
record User(String name, List<Role> roles, Map<ScramMechanism, ScramKeys> keys, Subject subject) {

    private static final int SALT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final JsonMapper JSON = JsonMapper.shared();

    private User(String name, List<Role> roles, Map<ScramMechanism, ScramKeys> keys) {
        this(name, roles, keys, Subject.user(name, Subject.Domain.LOCAL, roles));
    }

    /** Derives the keys, which is slow. */
    static User administrator(String name, String password) {
        Map<ScramMechanism, ScramKeys> keys = new EnumMap<>(ScramMechanism.class);
        for (ScramMechanism mechanism : ScramMechanism.values()) {
            byte[] salt = new byte[SALT_BYTES];
            RANDOM.nextBytes(salt);
            keys.put(mechanism, mechanism.derive(password, salt, Logins.USUAL_ITERATIONS));
        }
        return new User(name, List.of(Role.ADMIN), keys);
    }

    byte[] json() {
        ObjectNode json = JSON.createObjectNode().put("name", name);
        json.set("roles", JSON.valueToTree(roles.stream().map(Role::toString).toList()));
        ObjectNode scram = json.putObject("scram");
        keys.forEach((mechanism, each) -> scram.putObject(mechanism.label())
                .put("salt", each.salt())
                .put("iterations", each.iterations())
                .put("storedKey", each.storedKey())
                .put("serverKey", each.serverKey()));
        return JSON.writeValueAsBytes(json);
    }

    /** @throws IllegalArgumentException if the bytes are not a user */
    static User parse(byte[] bytes) {
        try {
            JsonNode json = JSON.readTree(bytes);
            Map<ScramMechanism, ScramKeys> keys = new EnumMap<>(ScramMechanism.class);
            for (ScramMechanism mechanism : ScramMechanism.values()) {
                JsonNode each = json.path("scram").path(mechanism.label());
                if (each.isObject()) {
                    keys.put(
                            mechanism,
                            new ScramKeys(
                                    decoded(each, "salt"),
                                    each.get("iterations").asInt(),
                                    decoded(each, "storedKey"),
                                    decoded(each, "serverKey")));
                }
            }
            List<Role> roles = json.path("roles").values().stream()
                    .map(JsonNode::asString)
                    .map(Role::parse)
                    .toList();
            return new User(json.get("name").asString(), roles, keys);
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException("The entry is not a user", e);
        }
    }

    private static byte[] decoded(JsonNode keys, String name) {
        return Base64.getDecoder().decode(keys.get(name).asString());
    }
}

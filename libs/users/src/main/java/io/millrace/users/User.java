package io.millrace.users;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import java.io.ByteArrayOutputStream;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A user as MetaKV stores it: without the password, with keys to check one.
 *
 * @param fullName the name for people, may be empty
 */
public record User(String name, String fullName, List<Role> roles, Map<ScramMechanism, ScramKeys> keys) {

    private static final int SALT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final JsonMapper JSON = JsonMapper.shared();

    /** As in Couchbase Server: no characters that separate names in other places, no blanks. */
    private static final Pattern NAME =
            Pattern.compile("[^\\s()<>@,;:\\\\\"/\\[\\]?={}\\p{Cntrl}][^\\s()<>,;:\\\\\"/\\[\\]?={}\\p{Cntrl}]{0,%d}"
                    .formatted(UsersLimits.MAX_NAME_CHARS - 1));

    public User {
        roles = List.copyOf(roles);
        keys = Map.copyOf(keys);
    }

    /** Returns whether this can be the name of a user. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Derives the keys, which is slow. */
    public static User create(String name, String fullName, List<Role> roles, String password) {
        return new User(name, fullName, roles, keys(password));
    }

    /** Returns this user with another password; derives the keys, which is slow. */
    public User withPassword(String password) {
        return new User(name, fullName, roles, keys(password));
    }

    /** Returns this user with another name for people and other roles. */
    public User with(String newFullName, List<Role> newRoles) {
        return new User(name, newFullName, newRoles, keys);
    }

    /** Returns what changes with the password: sessions that were begun with another stamp have ended. */
    public byte[] stamp() {
        ByteArrayOutputStream stamp = new ByteArrayOutputStream();
        keys.keySet().stream().sorted().map(keys::get).forEach(each -> stamp.writeBytes(each.storedKey()));
        return stamp.toByteArray();
    }

    /** Returns the subject of requests of this user. */
    public Subject subject() {
        return Subject.user(name, Subject.Domain.LOCAL, roles);
    }

    private static Map<ScramMechanism, ScramKeys> keys(String password) {
        Map<ScramMechanism, ScramKeys> keys = new EnumMap<>(ScramMechanism.class);
        for (ScramMechanism mechanism : ScramMechanism.values()) {
            byte[] salt = new byte[SALT_BYTES];
            RANDOM.nextBytes(salt);
            keys.put(mechanism, mechanism.derive(password, salt, UsersLimits.ITERATIONS));
        }
        return keys;
    }

    byte[] json() {
        ObjectNode json = JSON.createObjectNode().put("name", name).put("fullName", fullName);
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
            return new User(json.get("name").asString(), json.path("fullName").asString(""), roles(json), keys);
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException("The entry is not a user", e);
        }
    }

    static List<Role> roles(JsonNode json) {
        return json.path("roles").values().stream()
                .map(role -> Role.parse(role.asString()))
                .toList();
    }

    private static byte[] decoded(JsonNode keys, String name) {
        return Base64.getDecoder().decode(keys.get(name).asString());
    }
}

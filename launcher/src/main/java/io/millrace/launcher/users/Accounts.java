package io.millrace.launcher.users;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import io.millrace.launcher.gateway.GatewayClient.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Users and API keys of a running suite. */
final class Accounts implements AutoCloseable {

    private static final String USERS = "/settings/rbac/users/local";
    private static final String KEYS = "/api/v1/keys";
    private static final int NOT_FOUND = 404;

    private final GatewayClient gateway;

    Accounts(GatewayClient gateway) {
        this.gateway = gateway;
    }

    List<JsonNode> users() {
        return json(gateway.get(USERS), "list the users").valueStream().toList();
    }

    Optional<JsonNode> find(String user) {
        Answer answer = gateway.get(path(user));
        return answer.status() == NOT_FOUND ? Optional.empty() : Optional.of(json(answer, "show the user " + user));
    }

    JsonNode existing(String user) {
        return find(user)
                .orElseThrow(() ->
                        new LauncherException("There is no user " + user + "; './millrace user list' lists the users"));
    }

    void put(String user, Map<String, String> fields) {
        json(gateway.form("PUT", path(user), fields), "create the user " + user);
    }

    void patch(String user, Map<String, String> fields) {
        json(gateway.form("PATCH", path(user), fields), "change the user " + user);
    }

    void delete(String user) {
        json(gateway.delete(path(user)), "delete the user " + user);
    }

    /** Returns whether the commands themselves log in as this user. */
    boolean isOwn(String user) {
        return gateway.user().filter(user::equals).isPresent();
    }

    List<JsonNode> keys() {
        return json(gateway.get(KEYS), "list the API keys").valueStream().toList();
    }

    JsonNode createKey(ObjectNode key) {
        return json(gateway.post(KEYS, key.toString()), "create the API key");
    }

    void deleteKey(String id) {
        Answer answer = gateway.delete(KEYS + "/" + GatewayClient.segment(id));
        if (!answer.isSuccess()) {
            throw failure(answer, "delete the API key " + id);
        }
    }

    /** Returns the roles of a user as they are spelled in requests. */
    static String roles(JsonNode user) {
        return user.path("roles").valueStream().map(Accounts::role).collect(Collectors.joining(" "));
    }

    private static String role(JsonNode role) {
        String name = role.path("role").asString();
        String topic = role.path("topic_name").asString("");
        if (!topic.isEmpty()) {
            return name + "[" + topic + "]";
        }
        String bucket = role.path("bucket_name").asString("");
        if (bucket.isEmpty()) {
            return name;
        }
        StringBuilder target = new StringBuilder(bucket);
        for (String part : List.of("scope_name", "collection_name")) {
            String value = role.path(part).asString("*");
            if (value.equals("*")) {
                break;
            }
            target.append(':').append(value);
        }
        return name + "[" + target + "]";
    }

    private static String path(String user) {
        return USERS + "/" + GatewayClient.segment(user);
    }

    private static JsonNode json(Answer answer, String what) {
        if (!answer.isSuccess()) {
            throw failure(answer, what);
        }
        return answer.json();
    }

    private static LauncherException failure(Answer answer, String what) {
        return new LauncherException("Cannot " + what + ": " + reason(answer));
    }

    /** Returns what the server said: errors by parameter, or problem details. */
    private static String reason(Answer answer) {
        JsonNode body;
        try {
            body = answer.json();
        } catch (LauncherException notJson) {
            return "HTTP " + answer.status() + " " + answer.body().strip();
        }
        if (body.path("errors").isObject()) {
            return body.path("errors").valueStream().map(JsonNode::asString).collect(Collectors.joining(" "));
        }
        return body.has("detail") ? body.path("detail").asString() : "HTTP " + answer.status() + " " + body;
    }

    static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    @Override
    public void close() {
        gateway.close();
    }
}

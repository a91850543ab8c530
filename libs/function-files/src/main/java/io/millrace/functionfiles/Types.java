package io.millrace.functionfiles;

import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The types of the handler language and of the bindings of a function, as a TypeScript declaration. */
public final class Types {

    private Types() {}

    /** Returns the declaration for a definition: the language, then each binding by its alias. */
    public static String declaration(JsonNode definition) {
        StringBuilder text = new StringBuilder(Templates.text("millrace.d.ts"));
        JsonNode bindings = definition.path("depcfg");
        for (JsonNode bucket : bindings.path("buckets")) {
            boolean writable = bucket.path("access").asString("rw").equals("rw");
            append(
                    text,
                    "bucket " + bucket.path("bucket_name").asString(),
                    bucket.path("alias").asString(),
                    writable ? "WritableBucket" : "ReadableBucket");
        }
        for (JsonNode url : bindings.path("curl")) {
            append(text, url.path("hostname").asString(), url.path("value").asString(), "UrlBinding");
        }
        for (JsonNode database : bindings.path("sql")) {
            // parameters of a URL may be secrets
            String url = database.path("url").asString().split("[?;]", 2)[0];
            append(text, url, database.path("value").asString(), "DatabaseBinding");
        }
        for (JsonNode topic : bindings.path("topics")) {
            append(
                    text,
                    "topic " + topic.path("topic").asString(),
                    topic.path("value").asString(),
                    "TopicBinding");
        }
        for (JsonNode constant : bindings.path("constants")) {
            append(
                    text,
                    "constant",
                    constant.path("value").asString(),
                    typeOf(constant.path("literal").asString()));
        }
        definition
                .at("/settings/env")
                .properties()
                .forEach(constant -> append(
                        text,
                        "constant of env",
                        constant.getKey(),
                        typeOf(constant.getValue().toString())));
        definition
                .at("/settings/secrets")
                .properties()
                .forEach(constant ->
                        append(text, "secret " + constant.getValue().asString(), constant.getKey(), "string"));
        return text.toString();
    }

    private static void append(StringBuilder text, String what, String alias, String type) {
        // the name of a bucket cannot end the comment
        text.append("\n/** ")
                .append(what.replace("*/", "* /"))
                .append(" */\ndeclare const ")
                .append(alias)
                .append(": ")
                .append(type)
                .append(";\n");
    }

    /** Returns the type of a literal that is JSON; others, such as functions, have any. */
    private static String typeOf(String literal) {
        try {
            JsonNode value = JsonMapper.shared().readTree(literal);
            return value.isNumber() || value.isString() || value.isBoolean()
                    ? value.getNodeType().name().toLowerCase(Locale.ROOT)
                    : "any";
        } catch (JacksonException notJson) {
            return "any";
        }
    }
}

package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.shell.PlanTree;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/** Prints what an invocation would have done, for people. */
record EffectsPrinter(PrintStream out, Ansi style) {

    private static final String INDENT = "            ";

    void print(JsonNode invocation) {
        boolean failed = invocation.has("line");
        out.printf(
                "%s of '%s': %s, %.1f ms, %d KiB allocated%n",
                invocation.path("entry_point").asString(),
                invocation.path("id").asString()
                        + (invocation.has("index")
                                ? "/" + invocation.path("index").asLong()
                                : ""),
                style.string("@|%s %s|@"
                        .formatted(
                                failed ? "red" : "green",
                                invocation.path("result").asString())),
                invocation.path("micros").asLong() / 1000.0,
                invocation.path("allocated_bytes").asLong() / 1024);
        if (failed) {
            out.printf(
                    "  error     %s:%d:%d: %s%n",
                    invocation.path("file").asString(FunctionDirectory.CODE),
                    invocation.path("line").asInt(),
                    invocation.path("column").asInt(),
                    invocation.path("error").asString());
        }
        invocation.path("effects").forEach(this::effect);
    }

    private void effect(JsonNode effect) {
        switch (effect.path("kind").asString()) {
            case "write" -> {
                line("write", key(effect));
                difference(effect.path("before"), effect.path("after"));
            }
            case "delete" -> line("delete", key(effect));
            case "timer" ->
                line(
                        "timer",
                        "%s '%s' due %s, context %s"
                                .formatted(
                                        effect.path("callback").asString(),
                                        effect.path("reference").asString(),
                                        effect.path("due").asString(),
                                        effect.has("context") ? effect.path("context") : "undefined"));
            case "cancel_timer" ->
                line(
                        "cancel",
                        effect.path("callback").asString() + " '"
                                + effect.path("reference").asString() + "'");
            case "request" -> request(effect);
            case "statement" -> {
                line("statement", effect.path("text").asString());
                StringWriter plan = new StringWriter();
                new PlanTree(new PrintWriter(plan, true)).print(effect);
                plan.toString().lines().forEach(operator -> out.println(INDENT + operator));
            }
            default ->
                line(
                        "log",
                        effect.path("level").asString() + " "
                                + effect.path("text").asString());
        }
    }

    private void line(String kind, String text) {
        Iterator<String> lines = text.lines().iterator();
        out.println("  " + style.string("@|bold %-9s|@ ".formatted(kind)) + (lines.hasNext() ? lines.next() : ""));
        lines.forEachRemaining(more -> out.println(INDENT + more));
    }

    private static String key(JsonNode effect) {
        String bucket = effect.path("bucket").asString();
        String scope = effect.path("scope").asString();
        String collection = effect.path("collection").asString();
        boolean standard = scope.equals("_default") && collection.equals("_default");
        return (standard ? bucket : bucket + "." + scope + "." + collection) + " / "
                + effect.path("id").asString();
    }

    private void request(JsonNode effect) {
        line(
                "request",
                "%s %s%s -> %s"
                        .formatted(
                                effect.path("method").asString(),
                                effect.path("url").asString(),
                                effect.path("path").asString(),
                                effect.has("status")
                                        ? effect.path("status").asInt()
                                                + (effect.path("assumed").asBoolean() ? " (assumed; not sent)" : "")
                                        : "error"));
        for (Map.Entry<String, JsonNode> header : effect.path("headers").properties()) {
            out.println(INDENT + header.getKey() + ": " + header.getValue().asString());
        }
        if (effect.has("body")) {
            out.println(INDENT + effect.path("body"));
        }
    }

    /** Members that differ, of two objects; otherwise both. */
    private void difference(JsonNode before, JsonNode after) {
        if (!before.isObject() || !after.isObject()) {
            changed("-", "", before);
            changed("+", "", after);
            return;
        }
        TreeSet<String> names = new TreeSet<>(before.propertyNames());
        names.addAll(after.propertyNames());
        for (String name : names) {
            if (!before.path(name).equals(after.path(name))) {
                changed("-", name + ": ", before.path(name));
                changed("+", name + ": ", after.path(name));
            }
        }
    }

    private void changed(String sign, String name, JsonNode value) {
        if (!value.isMissingNode()) {
            out.println(INDENT
                    + style.string("@|%s %s|@ ".formatted(sign.equals("+") ? "green" : "red", sign))
                    + name
                    + value);
        }
    }
}

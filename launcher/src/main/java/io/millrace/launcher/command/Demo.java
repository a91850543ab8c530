package io.millrace.launcher.command;

import io.millrace.launcher.LauncherException;
import io.millrace.launcher.gateway.GatewayClient;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * {@code millrace demo}: runs the example {@code examples/orders}. It starts over with its function and its orders, leaves
 * them in place, and leaves alone what else is in the buckets.
 */
final class Demo {

    private static final String FUNCTION = "price_orders";
    private static final List<String> BUCKETS = List.of("products", "orders", "priced", "eventing");
    private static final int FIRST_ORDER = 1001;
    private static final int LAST_ORDER = 1007;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final GatewayClient gateway;
    private final Path samples;
    private final PrintStream out;

    Demo(GatewayClient gateway, Path samples, PrintStream out) {
        this.gateway = gateway;
        this.samples = samples;
        this.out = out;
    }

    /** Runs the demo and returns how many milliseconds the function took for a new order. */
    long run() {
        reset();
        step("Create buckets for orders, products, priced orders and the function's checkpoints");
        for (String bucket : BUCKETS) {
            gateway.require(gateway.put("/api/v1/buckets/" + bucket, ""), "create the bucket " + bucket);
        }
        Load load = new Load(gateway, out);
        load.run(samples.resolve("products.jsonl"), "products");
        load.run(samples.resolve("orders.jsonl"), "orders");

        step("Deploy a function that runs on every change of an order (examples/orders/price_orders.js)");
        out.println(indented(read("price_orders.js")));
        String function = "/api/v1/functions/" + FUNCTION;
        gateway.require(gateway.post(function, read("price_orders.json")), "store the function");
        gateway.require(gateway.post(function + "/deploy", ""), "deploy the function");
        awaitOrFail("deployment of the function", () -> status().equals("deployed"));
        out.println("deployed; it processes the existing orders first");

        step("Order 1002 and its priced copy");
        awaitOrFail("prices of the orders", () -> priced("order-1006").isSuccess());
        out.println("  " + document("orders", "order-1002"));
        out.println("  " + document("priced", "order-1002"));

        step("Store an order and wait for the result of the function");
        long put = System.nanoTime();
        gateway.require(gateway.put(docs("orders", "order-1007"), """
            {"type":"order","customer":"Gus","lines":[{"product":"p-02","quantity":2}]}\
            """), "put an" + " order");
        awaitOrFail("the price of the new order", () -> priced("order-1007").isSuccess());
        long millis = (System.nanoTime() - put) / 1_000_000;
        out.printf("  %s%n  after %d ms%n", priced("order-1007").body(), millis);

        step("Delete an order: the function deletes its result");
        gateway.require(gateway.delete(docs("orders", "order-1003")), "delete an order");
        awaitOrFail("deletion of the result", () -> priced("order-1003").status() == 404);
        out.println("  GET " + docs("priced", "order-1003") + " returns 404");

        step("The log of the function, newest line first");
        out.println(indented(logWith("order-1003")));
        out.println();
        return millis;
    }

    static List<String> thingsToTry(String curl) {
        return List.of(
                "  " + curl + docs("priced", "order-1002"),
                "  " + curl + "/api/v1/functions/" + FUNCTION,
                "  " + curl + "/api/v1/stats/" + FUNCTION);
    }

    /** Removes the function and the orders of an earlier demo; the buckets may have documents of others. */
    private void reset() {
        if (gateway.get("/api/v1/functions/" + FUNCTION).isSuccess()) {
            if (!status().equals("undeployed")) {
                gateway.require(
                        gateway.post("/api/v1/functions/" + FUNCTION + "/undeploy", ""), "undeploy the function");
                awaitOrFail("undeployment of the function", () -> status().equals("undeployed"));
            }
            gateway.require(gateway.delete("/api/v1/functions/" + FUNCTION), "delete the function");
        }
        for (int order = FIRST_ORDER; order <= LAST_ORDER; order++) {
            remove("orders", "order-" + order);
            remove("priced", "order-" + order);
        }
    }

    private void remove(String bucket, String id) {
        GatewayClient.Answer answer = gateway.delete(docs(bucket, id));
        if (answer.status() != 404) {
            gateway.require(answer, "delete " + id + " in " + bucket);
        }
    }

    private String status() {
        JsonNode status = gateway.require(gateway.get("/api/v1/status/" + FUNCTION), "read the status of the function")
                .json();
        return status.path("app").path("composite_status").asString("");
    }

    private String logWith(String text) {
        String path = "/getAppLog?name=" + FUNCTION;
        awaitOrFail("the log of the function", () -> gateway.get(path).body().contains(text));
        return gateway.get(path).body();
    }

    private GatewayClient.Answer priced(String id) {
        return gateway.get(docs("priced", id));
    }

    private String document(String bucket, String id) {
        return gateway.require(gateway.get(docs(bucket, id)), "read " + id).body();
    }

    private static String docs(String bucket, String id) {
        return "/api/v1/buckets/" + bucket + "/docs/" + id;
    }

    private String read(String name) {
        try {
            return Files.readString(samples.resolve(name));
        } catch (IOException e) {
            throw new LauncherException("Cannot read the sample " + samples.resolve(name), e);
        }
    }

    private void step(String title) {
        out.println();
        out.println("== " + title);
    }

    private static String indented(String text) {
        return text.stripTrailing().indent(2).stripTrailing();
    }

    private static void awaitOrFail(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new LauncherException("Timed out after " + PATIENCE.toSeconds() + " s waiting for " + what
                        + "; see the logs of Millrace");
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }
}

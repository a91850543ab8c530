package io.millrace.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * {@code millrace demo}: the sample of {@code examples/orders} at work. Buckets and function are made anew and stay
 * afterwards, to be looked at.
 */
final class Demo {

    private static final String FUNCTION = "price_orders";
    private static final List<String> BUCKETS = List.of("products", "orders", "priced", "eventing");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Door door;
    private final Path samples;
    private final PrintStream out;

    Demo(Door door, Path samples, PrintStream out) {
        this.door = door;
        this.samples = samples;
        this.out = out;
    }

    void run() {
        reset();
        step("Buckets for orders, for what products cost, for the results, and for the function's own bookkeeping");
        for (String bucket : BUCKETS) {
            door.must(door.put("/api/v1/buckets/" + bucket, ""), "create the bucket " + bucket);
        }
        Load load = new Load(door, out);
        load.run(samples.resolve("products.jsonl"), "products");
        load.run(samples.resolve("orders.jsonl"), "orders");

        step("A function that runs on every change of an order (examples/orders/price_orders.js)");
        out.println(indented(read("price_orders.js")));
        String function = "/api/v1/functions/" + FUNCTION;
        door.must(door.post(function, read("price_orders.json")), "store the function");
        door.must(door.post(function + "/deploy", ""), "deploy the function");
        awaitOrFail("the function to be deployed", () -> status().equals("deployed"));
        out.println("deployed; the orders that were there before are handled first");

        step("Order 1002 before and after");
        awaitOrFail("the orders to be priced", () -> priced("order-1006").isSuccess());
        out.println("  " + document("orders", "order-1002"));
        out.println("  " + document("priced", "order-1002"));

        step("A new order: from PUT to the function's result");
        long put = System.nanoTime();
        door.must(door.put(docs("orders", "order-1007"), """
                        {"type":"order","customer":"Gus","lines":[{"product":"p-02","quantity":2}]}"""), "put an order");
        awaitOrFail("the new order to be priced", () -> priced("order-1007").isSuccess());
        out.printf("  %s%n  after %d ms%n", priced("order-1007").body(), (System.nanoTime() - put) / 1_000_000);

        step("An order deleted: the function deletes its result");
        door.must(door.delete(docs("orders", "order-1003")), "delete an order");
        awaitOrFail("the result to be deleted", () -> priced("order-1003").status() == 404);
        out.println("  GET " + docs("priced", "order-1003") + " says 404");

        step("What the function logged, newest first");
        out.println(indented(logWith("order-1003")));
        out.println();
    }

    static List<String> thingsToTry(URI url) {
        return List.of(
                "  curl " + url + docs("priced", "order-1002"),
                "  curl " + url + "/api/v1/functions/" + FUNCTION,
                "  curl " + url + "/api/v1/stats/" + FUNCTION);
    }

    /** Removes what an earlier demo left. */
    private void reset() {
        if (door.get("/api/v1/functions/" + FUNCTION).isSuccess()) {
            if (!status().equals("undeployed")) {
                door.must(door.post("/api/v1/functions/" + FUNCTION + "/undeploy", ""), "undeploy the function");
                awaitOrFail("the function to be undeployed", () -> status().equals("undeployed"));
            }
            door.must(door.delete("/api/v1/functions/" + FUNCTION), "delete the function");
        }
        for (String bucket : List.of("products", "orders", "priced")) {
            Door.Answer answer = door.delete("/api/v1/buckets/" + bucket);
            if (answer.status() != 404) {
                door.must(answer, "delete the bucket " + bucket);
            }
        }
    }

    private String status() {
        JsonNode status = door.must(door.get("/api/v1/status/" + FUNCTION), "ask for the function's status")
                .json();
        return status.path("app").path("composite_status").asString("");
    }

    private String logWith(String text) {
        String path = "/getAppLog?name=" + FUNCTION;
        awaitOrFail("the log to be written", () -> door.get(path).body().contains(text));
        return door.get(path).body();
    }

    private Door.Answer priced(String id) {
        return door.get(docs("priced", id));
    }

    private String document(String bucket, String id) {
        return door.must(door.get(docs(bucket, id)), "read " + id).body();
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
                throw new LauncherException("Waited " + PATIENCE.toSeconds() + " s in vain for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }
}

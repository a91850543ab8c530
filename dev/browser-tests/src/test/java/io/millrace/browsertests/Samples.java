package io.millrace.browsertests;

/** A store as it looks after some days: functions that work, fail and wait, documents, a stream. */
final class Samples {

    private static final int ORDERS = 24;

    private static final String TOTALS = """
            function OnUpdate(order, meta) {
              order.total = order.quantity * order.price;
              dst[meta.id] = order;
              log("total of", meta.id, "is", order.total);
            }

            function OnDelete(meta) {
              delete dst[meta.id];
            }
            """;

    private static final String PEOPLE = """
            function OnUpdate(person, meta) {
              if (!person.email.includes("@")) {
                log("no address:", meta.id);
              }
              dst[meta.id] = { checked: true };
            }
            """;

    private static final String REMINDERS = """
            function OnUpdate(task, meta) {
              const due = new Date(Date.now() + task.hours * 3600 * 1000);
              createTimer(remind, due, meta.id, { task: meta.id, text: task.text });
            }

            function remind(context) {
              dst[context.task] = { text: context.text };
            }
            """;

    private static boolean stored;

    private Samples() {}

    /** Fills the store and logs in, for the first test that asks. */
    static synchronized void once(Store store, Browser browser) {
        if (!stored) {
            stored = true;
            store(store);
            browser.logIn();
        }
    }

    private static void store(Store store) {
        for (String bucket :
                new String[] {"orders", "totals", "people", "findings", "tasks", "reminders", "eventing"}) {
            store.bucket(bucket);
        }
        store.function("order_totals", "orders", "totals", TOTALS);
        store.function("check_people", "people", "findings", PEOPLE);
        store.function("remind_later", "tasks", "reminders", REMINDERS);
        store.function("archive_accounts_that_were_closed_long_ago", "people", "findings", PEOPLE);
        for (int i = 1; i <= ORDERS; i++) {
            store.document(
                    "orders",
                    "order-" + i,
                    "{\"product\": \"scoop\", \"quantity\": %d, \"price\": 12, \"customer\": {\"name\": \"Ada\"}}"
                            .formatted(i % 7 + 1));
        }
        store.document("people", "ada", "{\"name\": \"Ada\", \"email\": \"ada@example.com\"}");
        store.document("people", "bob", "{\"name\": \"Bob\"}");
        for (int i = 1; i <= 8; i++) {
            store.document(
                    "tasks", "task-" + i, "{\"text\": \"Oil the wheel\", \"hours\": %d}".formatted(i * i % 23 + 1));
        }
        store.done("POST", "/api/v1/streams/cart-42/events", """
                {"events": [{"type": "ItemAdded", "data": {"product": "scoop", "quantity": 3}},
                            {"type": "CheckedOut", "data": {"total": 36}}]}""");
        store.done("POST", "/api/v1/keys", "{\"description\": \"nightly load\", \"roles\": [\"data_writer[orders]\"]}");
        store.done(
                "PUT",
                "/api/v1/secrets/payments",
                "{\"url\": \"https://payments.example.org\", \"value\": \"s3cret\"}");
        store.done(
                "PUT",
                "/api/v1/libraries/money/versions/1.0.0",
                "/** Returns an amount in cents. */\nexport function cents(amount) {\n  return Math.round(amount * 100);\n}\n",
                "application/javascript");
        store.deploy("order_totals");
        store.deploy("check_people");
        store.deploy("remind_later");
        store.awaitDocument("totals", "order-" + ORDERS);
        store.awaitDocument("findings", "ada");
    }
}

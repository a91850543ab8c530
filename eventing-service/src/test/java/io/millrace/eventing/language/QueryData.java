package io.millrace.eventing.language;

import io.millrace.documents.DocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import java.time.InstantSource;
import java.util.List;

/** What the handlers of the kit query: the buckets that the examples of the first design name. */
final class QueryData {

    static final List<String> BUCKETS =
            List.of("beer-sample", "tutorial", "users_with_orders", "orders_with_users", "travel-sample");

    private static final List<String> STATEMENTS = List.of(
            "CREATE PRIMARY INDEX ON `kit-dst`",
            "CREATE PRIMARY INDEX ON `beer-sample`",
            "UPSERT INTO `beer-sample` (KEY, VALUE) VALUES"
                    + " (\"w1\", {\"type\": \"brewery\", \"name\": \"Beta\"}),"
                    + " (\"w2\", {\"type\": \"brewery\", \"name\": \"Alpha\"}),"
                    + " (\"w3\", {\"type\": \"brewery\", \"name\": \"Gamma\"}),"
                    + " (\"w4\", {\"type\": \"brewery\", \"name\": \"Delta\"}),"
                    + " (\"w5\", {\"type\": \"brewery\", \"name\": \"Epsilon\"}),"
                    + " (\"w6\", {\"type\": \"brewery\", \"name\": \"Zeta\"}),"
                    + " (\"b1\", {\"type\": \"beer\", \"name\": \"Ale\", \"n\": 1}),"
                    + " (\"b2\", {\"type\": \"beer\", \"name\": \"Bock\", \"n\": 2}),"
                    + " (\"b3\", {\"type\": \"beer\", \"name\": \"Stout\", \"n\": 3})",
            "UPSERT INTO tutorial (KEY, VALUE) VALUES (\"baldwin\", {\"type\": \"person\"})",
            "UPSERT INTO users_with_orders (KEY, VALUE) VALUES (\"Tamekia_13483660\","
                    + " {\"personal_details\": {\"first_name\": \"Tamekia\"},"
                    + " \"shipped_order_history\": [{\"order_id\": \"o1\"}, {\"order_id\": \"o2\"}]})",
            "UPSERT INTO orders_with_users (KEY, VALUE) VALUES (\"o1\", {\"total\": 10}), (\"o2\", {\"total\": 20})");

    private QueryData() {}

    static void create(DocumentStore documents) {
        BUCKETS.forEach(bucket -> documents.catalog().createBucket(bucket, 1).join());
        QueryEngine engine =
                new QueryEngine(new DocumentKeyspaces(documents, bucket -> true, () -> null), InstantSource.system());
        for (String statement : STATEMENTS) {
            engine.execute(statement, QueryOptions.DEFAULT).close();
        }
    }
}

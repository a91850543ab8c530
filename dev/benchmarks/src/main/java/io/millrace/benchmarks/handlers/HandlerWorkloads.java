package io.millrace.benchmarks.handlers;

import io.millrace.workerprotocol.Event;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Handlers of known cost, and their documents. */
final class HandlerWorkloads {

    /** Fields that no handler reads, 180 bytes each, to enlarge a document. */
    private static final String FILLER = """
            "detail%d":{"title":"a field that is only carried along","amount":%d,"open":true,"tags":["one","two","three"],\
            "text":"lorem ipsum dolor sit amet consectetur adipiscing","ratio":0.25},""";

    private static final String CHANGE = """
            function OnUpdate(doc, meta) {
              doc.state = 'seen';
              doc.count = doc.count + 1;
              doc.checked = meta.seq;
              log(doc);
            }
            """;

    private static final String LOOK = """
            function OnUpdate(doc, meta) {
              if (doc.state === 'nothing' && doc.count > 0) {
                log(meta.id);
              }
            }
            """;

    private static final String CREDIT = """
            function OnUpdate(doc, meta) {
              const score = CreditScore(doc);
              log({id: meta.id, ssn: doc.ssn, name: doc.name, score, limit: Math.round(doc.income * score / 1000),
                  class: score > 700 ? 'prime' : score > 600 ? 'fair' : 'poor', history: doc.history.length});
            }

            function CreditScore(doc) {
              let score = 500;
              if (doc.card_type !== 'none' && doc.balance < doc.credit_limit * 0.5) {
                score += 60;
              }
              score += Math.min(100, doc.years_at_job * 8);
              score -= doc.missed_payments * 25;
              for (const loan of doc.history) {
                score += loan.paid ? 20 : -30;
                score -= Math.floor(loan.amount / 10000);
              }
              return Math.max(300, Math.min(850, score));
            }
            """;

    private static final String CREDIT_DOCUMENT = """
            {"type":"credit_score","ssn":"078-05-1120","name":"Ada Miller","address":"12 Mill Lane, Gillingham, ME7 3JE",\
            "income":64000,"card_type":"platinum","balance":1250.75,"credit_limit":9000,"years_at_job":7,"missed_payments":1,\
            "history":[{"lender":"First Bank","amount":12000,"paid":true},{"lender":"Car House","amount":23500,"paid":true},\
            {"lender":"Corner Shop","amount":300,"paid":false}],"email":"ada@example.org"}""";

    private static final String SMALL_DOCUMENT =
            "{\"type\":\"order\",\"customer\":\"c-100200\",\"amount\":42,\"currency\":\"EUR\",\"open\":true}";

    /**
     * A handler and its document.
     *
     * @param name the name in the published figures of the engine
     * @param logs whether it logs its result, about the size of the document
     */
    record Workload(String name, String what, String code, byte[] document, boolean logs) {

        Event event(long number) {
            return new Event(
                    Event.Kind.MUTATION,
                    new Event.Key("_default", "_default", "order::" + number % 10_000, (int) (number & 1023)),
                    new Event.Version(number, number, 0),
                    new Event.Content(0, 0, false, document, null, null));
        }
    }

    static final Workload CHANGE_1K =
            workload("D1", "change three fields of 1 KB, log it", CHANGE, document(1_000), true);

    static final List<Workload> ALL = List.of(
            workload("A0", "nothing", "function OnUpdate(doc, meta) {}", SMALL_DOCUMENT, false),
            workload(
                    "A",
                    "read two fields, set one",
                    "function OnUpdate(doc, meta) { if (doc.amount > 10 && doc.open) { doc.seen = true; } }",
                    SMALL_DOCUMENT,
                    false),
            workload("B", "credit score of 420 B, log the result", CREDIT, CREDIT_DOCUMENT, true),
            workload(
                    "C",
                    "a loop of 1,000,000",
                    "function OnUpdate(doc, meta) { let i = 0; for (let n = 0; n < 1000 * 1000; n++) { i += n & 1; }"
                            + " if (i !== 500000) { throw new Error(i); } }",
                    SMALL_DOCUMENT,
                    false),
            CHANGE_1K,
            workload("D10", "the same with 10 KB", CHANGE, document(10_000), true),
            workload("P1", "read two fields of 1 KB", LOOK, document(1_000), false),
            workload("P10", "the same with 10 KB", LOOK, document(10_000), false));

    private HandlerWorkloads() {}

    private static Workload workload(String name, String what, String code, String document, boolean logs) {
        return new Workload(name, what, code, document.getBytes(StandardCharsets.UTF_8), logs);
    }

    /** Returns a document of about this many bytes. */
    private static String document(int bytes) {
        StringBuilder document = new StringBuilder("{\"type\":\"order\",\"state\":\"new\",\"count\":17,");
        for (int n = 0; document.length() < bytes - FILLER.length(); n++) {
            document.append(FILLER.formatted(n, 1000 + n));
        }
        return document.append("\"last\":null}").toString();
    }
}

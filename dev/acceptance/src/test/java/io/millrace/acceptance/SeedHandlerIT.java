package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The handler of the original design: of three kinds of documents, one causes a write. */
class SeedHandlerIT {

    private static final String CODE = """
            function OnUpdate(doc, meta) {
              log("doc: ", doc, " meta: ", meta);
              switch (doc.type) {
                case "credit_score":
                  var updated_doc = CalculateCreditScore(doc);
                  credit_bucket[meta.id] = updated_doc;
                  var value = credit_bucket[meta.id];
                  log("kept: ", value.credit_score);
                  break;
                case "travel_sample":
                  log("Got travel sample blob", doc);
                  break;
                case "cpu_op":
                  var i;
                  for (i = 0; i < 1000 * 1000;) {
                    i++;
                  }
                  log("Final count:", i);
                  break;
              }
            }

            function CalculateCreditScore(doc) {
              doc.credit_score = 300 + Math.min(550, doc.paid_on_time * 10 - doc.paid_late * 25);
              return doc;
            }
            """;
    private static final String DEFINITION = """
            {"appname": "credit_score", "appcode": %s,
             "depcfg": {"buckets": [{"alias": "credit_bucket", "bucket_name": "credit_score"}],
                        "metadata_bucket": "eventing", "source_bucket": "default"},
             "settings": {"worker_count": 3}}""";

    private final Api api = new Api(RunningSuite.gateway());

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void creditScore_onItsDocuments_writesToTheAliasedBucketAndLogs() {
        api.bucket("default");
        api.bucket("credit_score");
        api.bucket("eventing");
        String code = JsonMapper.shared().writeValueAsString(CODE);
        api.deploy("credit_score", DEFINITION.formatted(code));

        api.put(Api.document("default", "score-1"), """
                {"type": "credit_score", "name": "Ada", "paid_on_time": 31, "paid_late": 2}""").succeeded();
        api.put(Api.document("default", "travel-1"), """
                {"type": "travel_sample", "callsign": "MILE-AIR"}""").succeeded();
        api.put(Api.document("default", "cpu-1"), """
                {"type": "cpu_op"}""").succeeded();

        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(api.counter("credit_score", "execution_stats", "on_update_success"))
                        .isEqualTo(3));
        assertThat(api.get(Api.document("credit_score", "score-1")).succeeded().json())
                .isEqualTo(JsonMapper.shared().readTree("""
                                {"type": "credit_score", "name": "Ada", "paid_on_time": 31, "paid_late": 2, "credit_score": 560}"""));
        assertThat(api.get(Api.document("credit_score", "travel-1")).status()).isEqualTo(404);
        await().atMost(Api.PATIENCE)
                .untilAsserted(() -> assertThat(api.log("credit_score"))
                        .contains("kept: ", "560", "Got travel sample blob", "MILE-AIR", "Final count:", "1000000"));
        api.undeploy("credit_score");
    }
}

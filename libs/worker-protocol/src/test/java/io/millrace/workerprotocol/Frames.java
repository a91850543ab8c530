package io.millrace.workerprotocol;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One of each frame, with the values that are hardest to carry. */
final class Frames {

    private Frames() {}

    static List<Frame> samples() {
        return Stream.concat(feedAndTrials().stream(), calls().stream()).toList();
    }

    private static List<Frame> calls() {
        return List.of(
                new Frame.Deploy("Resume", 4711, 60_000),
                new Frame.Deployed(new Outcome(Outcome.Result.THREW, 3, "Error: no", 2, 5)),
                new Frame.Request(
                        1L << 40,
                        WorkerSetup.MAX_THREADS - 1,
                        60_000,
                        new HttpRequest(
                                new byte[] {123, 125},
                                new HttpBody(HttpBody.Kind.BYTES, new byte[] {0, -1}),
                                "t",
                                true)),
                new Frame.Response(
                        1L << 40,
                        Outcome.success(3),
                        new HttpResponse(
                                599,
                                List.of(new HttpResponse.Header("etag", "\"ü\""), new HttpResponse.Header("a", "")),
                                new HttpBody(HttpBody.Kind.JSON, "{}".getBytes(StandardCharsets.UTF_8)))),
                new Frame.Response(0, new Outcome(Outcome.Result.TIMED_OUT, 9, "late", 1, 2), HttpResponse.NONE),
                new Frame.Begun(
                        3,
                        new HttpResponse(
                                206,
                                List.of(new HttpResponse.Header("a", "b")),
                                new HttpBody(HttpBody.Kind.TEXT, new byte[] {'x'}))),
                new Frame.Part(3, new byte[] {0, -1}),
                new Frame.Taken(1L << 40, WorkerSetup.MAX_THREADS - 1, 1L << 33),
                new Frame.Abandoned(3, 0));
    }

    private static List<Frame> feedAndTrials() {
        return List.of(
                new Frame.Hello(4711, "interpreted: Java 21.0.2 is not 25.0.3 or a later update of 25"),
                new Frame.Prepare("redis://:secret@127.0.0.1:6379/0"),
                new Frame.WarmUp(),
                new Frame.Init(setup(), false),
                new Frame.Init(setup(), true),
                new Frame.Ready(),
                new Frame.Rejected("Unexpected token ü", 3, 17),
                new Frame.Batch(
                        Long.MAX_VALUE,
                        WorkerSetup.MAX_THREADS - 1,
                        List.of(
                                event("a", new byte[0], null),
                                event("ключ/🔑", new byte[17_000], "{}".getBytes(StandardCharsets.UTF_8)),
                                new Event(
                                        Event.Kind.EXPIRATION,
                                        new Event.Key("inventory", "hotel", "h1", 1023),
                                        new Event.Version((1L << 53) - 1, 1L << 52, 7, "a trace"),
                                        new Event.Content(-1, 0xffff_ffffL, true, new byte[] {1, -1}, null, null)),
                                new Event(
                                        Event.Kind.APPENDED,
                                        new Event.Key("_default", "_default", "Cart-7", 5),
                                        new Event.Version(9, 0, 0),
                                        new Event.Content(0, 0, false, new byte[] {'1'}, new byte[] {'2'}, null)),
                                event("z", new byte[] {'1'}, new byte[0]),
                                event("o", new byte[] {'2'}, null).withOld(new byte[] {'1'}))),
                new Frame.Batch(0, 0, List.of()),
                new Frame.Done(
                        12,
                        1,
                        List.of(
                                Outcome.success(150),
                                Outcome.skipped(),
                                new Outcome(
                                        Outcome.Result.THREW,
                                        0,
                                        "TypeError: x is undefined",
                                        14,
                                        2,
                                        "at OnUpdate (f:14:2)"),
                                new Outcome(Outcome.Result.TIMED_OUT, 60_000_000, "", 0, 0)),
                        7),
                new Frame.Log(List.of(new LogLine(
                        "INFO",
                        1_790_000_000_123L,
                        "hello\n\"world\"",
                        3,
                        new LogLine.About("4bf92f", "sales", "orders", "o-1")))),
                new Frame.Swap(setup()),
                new Frame.Swapped(),
                new Frame.Counters(Map.of("on_update_success", 100L, "bucket_op_exception_count", 0L)),
                new Frame.Spans(new byte[] {91, 93}),
                new Frame.Insight(4, List.of(new LineInsight(3, 7, 1 << 20, 1, "TypeError: ü", "[1]", "4bf92f"))),
                new Frame.Try(setup(), new byte[] {'{', '}'}, List.of(event("a", new byte[] {'1'}, null))),
                new Frame.Tried(new byte[] {'{', '}'}),
                new Frame.Debug(setup(), new byte[] {'{', '}'}, event("a", new byte[] {'1'}, null)),
                new Frame.Debugging(),
                new Frame.DebugMessage("{\"id\": \"\u00fc\"}"),
                new Frame.Shutdown());
    }

    static WorkerSetup setup() {
        return new WorkerSetup(
                "credit_score",
                "f00d",
                new WorkerSetup.Source(
                        "function OnUpdate(doc, meta) { log('\u2028', doc); }",
                        List.of("'use strict';"),
                        List.of(),
                        "7.2.0",
                        false),
                new WorkerSetup.Limits(2, 60_000, 128 << 20),
                "INFO",
                "source",
                "redis://:secret@127.0.0.1:6379/0",
                List.of(new WorkerSetup.Alias("dst", "target", "_default", "_default", true)),
                new HandlerSettings(
                        List.of(new HandlerSettings.Constant("LIMIT", "5")),
                        List.of(new HandlerSettings.Url(
                                "api", "http://127.0.0.1/", "basic", "user", "secret", "", true, false)),
                        List.of(new HandlerSettings.Database(
                                "crm", "jdbc:sqlite:/crm", "user", "secret", true, 100, 5_000, 2)),
                        1,
                        2,
                        3,
                        new HandlerSettings.Access(
                                List.of("inner.example"), List.of(":6379"), List.of("db:5432"), "drivers", "kafka"),
                        4,
                        List.of("query_select[orders]"),
                        false,
                        new HandlerSettings.TimerSettings(
                                "meta", 4, "17", 128, 1024, 3, 1000, "_default._default", List.of("report 0 3 * * *")),
                        List.of(new HandlerSettings.Topic(
                                "orders", HandlerSettings.Topic.Kind.KAFKA, "shop", "orders", 1000))));
    }

    static Event event(String id, byte[] body, byte @Nullable [] xattrs) {
        return new Event(
                Event.Kind.MUTATION,
                new Event.Key("_default", "_default", id, 0),
                new Event.Version(1, (1L << 42) + 1, 0),
                new Event.Content(0, 0, false, body, xattrs, null));
    }
}

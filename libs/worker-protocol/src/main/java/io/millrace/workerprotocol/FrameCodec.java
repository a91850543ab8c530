package io.millrace.workerprotocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Frames to bytes and back: one octet for the kind, then the fields in their order. Only the setup is JSON. */
final class FrameCodec {

    private static final int HELLO = 1;
    private static final int INIT = 2;
    private static final int READY = 3;
    private static final int REJECTED = 4;
    private static final int BATCH = 5;
    private static final int DONE = 6;
    private static final int LOG = 7;
    private static final int COUNTERS = 8;
    private static final int SHUTDOWN = 9;
    private static final int INSIGHT = 10;
    private static final int DEPLOY = 11;
    private static final int DEPLOYED = 12;
    private static final int OPEN = 13;
    private static final int HALT = 14;
    private static final int ENDED = 15;
    private static final int REQUEST = 16;
    private static final int RESPONSE = 17;
    private static final int TRY = 18;
    private static final int TRIED = 19;
    private static final int SWAP = 20;
    private static final int SWAPPED = 21;
    private static final int DEBUG = 22;
    private static final int DEBUGGING = 23;
    private static final int DEBUG_MESSAGE = 24;
    private static final int SPANS = 25;
    private static final int BEGUN = 26;
    private static final int PART = 27;
    private static final int TAKEN = 28;
    private static final int ABANDONED = 29;
    private static final int PREPARE = 30;
    private static final int WARM_UP = 31;

    private static final Outcome.Result[] RESULTS = Outcome.Result.values();
    private static final HttpBody.Kind[] BODIES = HttpBody.Kind.values();
    private static final JsonMapper JSON = JsonMapper.shared();

    private FrameCodec() {}

    static void encode(Frame frame, FrameWriter out) throws LinkException {
        switch (frame) {
            case Frame.Hello hello -> {
                out.octet(HELLO);
                out.number(hello.pid());
                out.text(hello.runtime());
            }
            case Frame.Init init -> {
                out.octet(INIT);
                out.bytes(JSON.writeValueAsBytes(init.setup()));
                out.number(init.known() ? 1 : 0);
            }
            case Frame.Ready ignored -> out.octet(READY);
            case Frame.Rejected rejected -> encodeRejected(rejected, out);
            case Frame.Batch batch -> {
                out.octet(BATCH);
                out.number(batch.batch());
                out.number(batch.thread());
                EventCodec.encode(batch.events(), out);
            }
            case Frame.Done done -> encodeDone(done, out);
            case Frame.Log log -> encodeLog(log, out);
            case Frame.Counters counters -> encodeCounters(counters, out);
            case Frame.Insight insight -> encodeInsight(insight, out);
            case Frame.Spans spans -> encodeSpans(spans, out);
            case Frame.Deploy deploy -> encodeDeploy(deploy, out);
            case Frame.Deployed deployed -> {
                out.octet(DEPLOYED);
                encodeOutcome(deployed.outcome(), out);
            }
            case Frame.Request request -> encodeRequest(request, out);
            case Frame.Response response -> encodeResponse(response, out);
            case Frame.Begun begun -> encodeBegun(begun, out);
            case Frame.Part part -> encodePart(part, out);
            case Frame.Taken taken -> encodeTaken(taken, out);
            case Frame.Abandoned abandoned -> encodeAbandoned(abandoned, out);
            case Frame.Shutdown ignored -> out.octet(SHUTDOWN);
            case Frame.Prepare prepare -> {
                out.octet(PREPARE);
                out.text(prepare.redisUri());
            }
            case Frame.Open open -> {
                out.octet(OPEN);
                out.number(open.worker());
                out.text(open.socket());
            }
            case Frame.Halt halt -> {
                out.octet(HALT);
                out.number(halt.worker());
            }
            case Frame.Ended ended -> encodeEnded(ended, out);
            case Frame.Try attempt -> encodeTry(attempt, out);
            case Frame.Tried tried -> encodeTried(tried, out);
            case Frame.Debug debug -> encodeDebug(debug, out);
            case Frame.WarmUp ignored -> out.octet(WARM_UP);
            case Frame.Debugging ignored -> out.octet(DEBUGGING);
            case Frame.DebugMessage message -> {
                out.octet(DEBUG_MESSAGE);
                out.bytes(message.text().getBytes(StandardCharsets.UTF_8));
            }
            case Frame.Swap swap -> {
                out.octet(SWAP);
                out.bytes(JSON.writeValueAsBytes(swap.setup()));
            }
            case Frame.Swapped ignored -> out.octet(SWAPPED);
        }
        if (out.size() > WorkerProtocolLimits.MAX_FRAME_BYTES) {
            throw LinkException.tooLarge(out.size());
        }
    }

    private static void encodeTry(Frame.Try attempt, FrameWriter out) throws LinkException {
        out.octet(TRY);
        out.bytes(JSON.writeValueAsBytes(attempt.setup()));
        out.bytes(attempt.answers());
        EventCodec.encode(attempt.events(), out);
    }

    private static void encodeTried(Frame.Tried tried, FrameWriter out) throws LinkException {
        out.octet(TRIED);
        out.bytes(tried.invocation());
    }

    private static void encodeBegun(Frame.Begun begun, FrameWriter out) throws LinkException {
        out.octet(BEGUN);
        out.number(begun.call());
        encodeResponse(begun.response(), out);
    }

    private static void encodePart(Frame.Part part, FrameWriter out) throws LinkException {
        out.octet(PART);
        out.number(part.call());
        out.bytes(part.bytes());
    }

    private static void encodeTaken(Frame.Taken taken, FrameWriter out) throws LinkException {
        out.octet(TAKEN);
        out.number(taken.call());
        out.number(taken.thread());
        out.number(taken.bytes());
    }

    private static void encodeAbandoned(Frame.Abandoned abandoned, FrameWriter out) throws LinkException {
        out.octet(ABANDONED);
        out.number(abandoned.call());
        out.number(abandoned.thread());
    }

    private static void encodeDebug(Frame.Debug debug, FrameWriter out) throws LinkException {
        out.octet(DEBUG);
        out.bytes(JSON.writeValueAsBytes(debug.setup()));
        out.bytes(debug.answers());
        EventCodec.encode(List.of(debug.event()), out);
    }

    private static void encodeRequest(Frame.Request request, FrameWriter out) throws LinkException {
        out.octet(REQUEST);
        out.number(request.call());
        out.number(request.thread());
        out.number(request.timeoutMillis());
        out.bytes(request.request().head());
        encodeBody(request.request().body(), out);
        out.text(request.request().trace());
        out.number(request.request().toPublicFunction() ? 1 : 0);
    }

    private static void encodeResponse(Frame.Response response, FrameWriter out) throws LinkException {
        out.octet(RESPONSE);
        out.number(response.call());
        encodeOutcome(response.outcome(), out);
        encodeResponse(response.response(), out);
    }

    private static void encodeResponse(HttpResponse response, FrameWriter out) throws LinkException {
        out.number(response.status());
        out.number(response.headers().size());
        for (HttpResponse.Header header : response.headers()) {
            out.text(header.name());
            out.text(header.value());
        }
        encodeBody(response.body(), out);
    }

    private static HttpResponse response(FrameReader in) throws LinkException {
        return new HttpResponse(in.number(Integer.MAX_VALUE), headers(in), body(in));
    }

    private static void encodeBody(HttpBody body, FrameWriter out) throws LinkException {
        out.octet(body.kind().ordinal());
        out.bytes(body.bytes());
    }

    private static List<HttpResponse.Header> headers(FrameReader in) throws LinkException {
        int count = in.count();
        List<HttpResponse.Header> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            headers.add(new HttpResponse.Header(in.text(), in.text()));
        }
        return headers;
    }

    private static HttpBody body(FrameReader in) throws LinkException {
        return new HttpBody(BODIES[in.number(BODIES.length - 1)], in.bytes());
    }

    private static void encodeEnded(Frame.Ended ended, FrameWriter out) throws LinkException {
        out.octet(ENDED);
        out.number(ended.worker());
        out.number(ended.code());
        out.text(ended.message());
    }

    private static void encodeRejected(Frame.Rejected rejected, FrameWriter out) throws LinkException {
        out.octet(REJECTED);
        out.text(rejected.message());
        out.number(rejected.line());
        out.number(rejected.column());
    }

    private static void encodeLog(Frame.Log log, FrameWriter out) throws LinkException {
        out.octet(LOG);
        out.number(log.lines().size());
        for (LogLine line : log.lines()) {
            out.text(line.level());
            out.number(line.epochMillis());
            out.text(line.text());
            out.number(line.version());
            out.text(line.about().trace());
            out.text(line.about().scope());
            out.text(line.about().collection());
            out.text(line.about().id());
        }
    }

    private static void encodeCounters(Frame.Counters counters, FrameWriter out) throws LinkException {
        out.octet(COUNTERS);
        out.number(counters.deltas().size());
        for (Map.Entry<String, Long> delta : counters.deltas().entrySet()) {
            out.text(delta.getKey());
            out.number(delta.getValue());
        }
    }

    private static void encodeSpans(Frame.Spans spans, FrameWriter out) throws LinkException {
        out.octet(SPANS);
        out.bytes(spans.spans());
    }

    private static void encodeDeploy(Frame.Deploy deploy, FrameWriter out) throws LinkException {
        out.octet(DEPLOY);
        out.text(deploy.reason());
        out.number(deploy.delayMillis());
        out.number(deploy.timeoutMillis());
    }

    private static void encodeDone(Frame.Done done, FrameWriter out) throws LinkException {
        out.octet(DONE);
        out.number(done.batch());
        out.number(done.thread());
        out.number(done.outcomes().size());
        for (Outcome outcome : done.outcomes()) {
            encodeOutcome(outcome, out);
        }
        out.number(done.version());
    }

    private static void encodeOutcome(Outcome outcome, FrameWriter out) throws LinkException {
        out.octet(outcome.result().ordinal());
        out.number(outcome.micros());
        if (!outcome.ok()) {
            out.text(outcome.message());
            out.number(outcome.line());
            out.number(outcome.column());
            out.text(outcome.stack());
        }
    }

    private static void encodeInsight(Frame.Insight insight, FrameWriter out) throws LinkException {
        out.octet(INSIGHT);
        out.number(insight.version());
        out.number(insight.lines().size());
        for (LineInsight line : insight.lines()) {
            out.number(line.line());
            out.number(line.calls());
            out.number(line.micros());
            out.number(line.errors());
            out.text(line.lastError());
            out.text(line.lastLog());
            out.text(line.lastTrace());
        }
    }

    static Frame decode(byte[] bytes) throws LinkException {
        FrameReader in = new FrameReader(bytes);
        int kind = in.octet();
        Frame frame = switch (kind) {
            case HELLO -> new Frame.Hello(in.number(), in.text());
            case INIT -> new Frame.Init(decodeSetup(in.bytes()), in.number(1) == 1);
            case READY -> new Frame.Ready();
            case REJECTED -> new Frame.Rejected(in.text(), in.number(Integer.MAX_VALUE), in.number(Integer.MAX_VALUE));
            case BATCH -> new Frame.Batch(in.number(), in.number(WorkerSetup.MAX_THREADS - 1), EventCodec.decode(in));
            case DONE -> new Frame.Done(in.number(), in.number(WorkerSetup.MAX_THREADS - 1), outcomes(in), in.number());
            case LOG -> new Frame.Log(decodeLines(in));
            case COUNTERS -> new Frame.Counters(decodeDeltas(in));
            case SHUTDOWN -> new Frame.Shutdown();
            case INSIGHT -> new Frame.Insight(in.number(), decodeInsight(in));
            case SPANS -> new Frame.Spans(in.bytes());
            case DEPLOY -> new Frame.Deploy(in.text(), in.number(), in.number());
            case DEPLOYED -> new Frame.Deployed(outcome(in));
            case PREPARE -> new Frame.Prepare(in.text());
            case WARM_UP -> new Frame.WarmUp();
            case OPEN -> new Frame.Open(in.number(), in.text());
            case HALT -> new Frame.Halt(in.number());
            case ENDED -> new Frame.Ended(in.number(), in.number(Integer.MAX_VALUE), in.text());
            case REQUEST ->
                new Frame.Request(
                        in.number(),
                        in.number(WorkerSetup.MAX_THREADS - 1),
                        in.number(),
                        new HttpRequest(in.bytes(), body(in), in.text(), in.number(1) == 1));
            case RESPONSE -> new Frame.Response(in.number(), outcome(in), response(in));
            case BEGUN -> new Frame.Begun(in.number(), response(in));
            case PART -> new Frame.Part(in.number(), in.bytes());
            case TAKEN -> new Frame.Taken(in.number(), in.number(WorkerSetup.MAX_THREADS - 1), in.number());
            case ABANDONED -> new Frame.Abandoned(in.number(), in.number(WorkerSetup.MAX_THREADS - 1));
            case TRY -> new Frame.Try(decodeSetup(in.bytes()), in.bytes(), EventCodec.decode(in));
            case TRIED -> new Frame.Tried(in.bytes());
            case SWAP -> new Frame.Swap(decodeSetup(in.bytes()));
            case SWAPPED -> new Frame.Swapped();
            case DEBUG -> new Frame.Debug(decodeSetup(in.bytes()), in.bytes(), decodeOne(in));
            case DEBUGGING -> new Frame.Debugging();
            case DEBUG_MESSAGE -> new Frame.DebugMessage(new String(in.bytes(), StandardCharsets.UTF_8));
            default -> throw LinkException.malformed("there is no kind " + kind);
        };
        if (in.remaining() > 0) {
            throw LinkException.malformed("%d bytes follow its end".formatted(in.remaining()));
        }
        return frame;
    }

    private static Event decodeOne(FrameReader in) throws LinkException {
        List<Event> events = EventCodec.decode(in);
        if (events.size() != 1) {
            throw LinkException.malformed("there is not one event, but %d".formatted(events.size()));
        }
        return events.getFirst();
    }

    private static WorkerSetup decodeSetup(byte[] json) throws LinkException {
        try {
            WorkerSetup setup = JSON.readValue(json, WorkerSetup.class);
            if (setup == null) {
                throw LinkException.malformed("the setup is null");
            }
            return setup;
        } catch (JacksonException e) {
            throw LinkException.malformed("the setup is not the JSON of one", e);
        }
    }

    private static List<Outcome> outcomes(FrameReader in) throws LinkException {
        int count = in.count();
        List<Outcome> outcomes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            outcomes.add(outcome(in));
        }
        return outcomes;
    }

    private static Outcome outcome(FrameReader in) throws LinkException {
        Outcome.Result result = RESULTS[in.number(RESULTS.length - 1)];
        long micros = in.number();
        Outcome ok = new Outcome(result, micros, "", 0, 0);
        return ok.ok()
                ? ok
                : new Outcome(
                        result,
                        micros,
                        in.text(),
                        in.number(Integer.MAX_VALUE),
                        in.number(Integer.MAX_VALUE),
                        in.text());
    }

    private static List<LineInsight> decodeInsight(FrameReader in) throws LinkException {
        int count = in.count();
        List<LineInsight> lines = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lines.add(new LineInsight(
                    in.number(Integer.MAX_VALUE),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.text(),
                    in.text(),
                    in.text()));
        }
        return lines;
    }

    private static List<LogLine> decodeLines(FrameReader in) throws LinkException {
        int count = in.count();
        List<LogLine> lines = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lines.add(new LogLine(
                    in.text(),
                    in.number(),
                    in.text(),
                    in.number(),
                    new LogLine.About(in.text(), in.text(), in.text(), in.text())));
        }
        return lines;
    }

    private static Map<String, Long> decodeDeltas(FrameReader in) throws LinkException {
        int count = in.count();
        Map<String, Long> deltas = new HashMap<>();
        for (int i = 0; i < count; i++) {
            deltas.put(in.text(), in.number());
        }
        return deltas;
    }
}

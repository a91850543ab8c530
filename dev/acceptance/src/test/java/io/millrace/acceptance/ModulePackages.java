package io.millrace.acceptance;

import java.util.Map;

/** The root package of each module. */
final class ModulePackages {

    static final Map<String, String> ALL = Map.ofEntries(
            Map.entry("access", "io.millrace.access"),
            Map.entry("audit", "io.millrace.audit"),
            Map.entry("function-files", "io.millrace.functionfiles"),
            Map.entry("users", "io.millrace.users"),
            Map.entry("access-spring", "io.millrace.accessspring"),
            Map.entry("web-guard", "io.millrace.webguard"),
            Map.entry("http-door", "io.millrace.httpdoor"),
            Map.entry("json", "io.millrace.json"),
            Map.entry("patterns", "io.millrace.patterns"),
            Map.entry("redis", "io.millrace.redis"),
            Map.entry("traces", "io.millrace.traces"),
            Map.entry("traces-spring", "io.millrace.traces.spring"),
            Map.entry("documents", "io.millrace.documents"),
            Map.entry("documents-spring", "io.millrace.documents.spring"),
            Map.entry("subdoc", "io.millrace.subdoc"),
            Map.entry("streams", "io.millrace.streams"),
            Map.entry("timers", "io.millrace.timers"),
            Map.entry("couch", "io.millrace.couch"),
            Map.entry("metakv", "io.millrace.metakv"),
            Map.entry("rebalance", "io.millrace.rebalance"),
            Map.entry("memcached", "io.millrace.memcached"),
            Map.entry("handler", "io.millrace.handler"),
            Map.entry("n1ql", "io.millrace.n1ql"),
            Map.entry("n1ql-documents", "io.millrace.n1qldocuments"),
            Map.entry("worker-protocol", "io.millrace.workerprotocol"),
            Map.entry("problem-details", "io.millrace.problemdetails"),
            Map.entry("launcher", "io.millrace.launcher"),
            Map.entry("local-services", "io.millrace.local"),
            Map.entry("testkit", "io.millrace.testkit"),
            Map.entry("docs-site", "io.millrace.docssite"),
            Map.entry("console", "io.millrace.console"),
            Map.entry("eventing-worker", "io.millrace.worker"),
            Map.entry("metakv-service", "io.millrace.metakvservice"),
            Map.entry("subdoc-service", "io.millrace.subdocservice"),
            Map.entry("eventing-service", "io.millrace.eventing"),
            Map.entry("ui-gateway", "io.millrace.gateway"),
            Map.entry("benchmarks", "io.millrace.benchmarks"),
            Map.entry("distribution", "io.millrace.distribution"));

    private ModulePackages() {}
}

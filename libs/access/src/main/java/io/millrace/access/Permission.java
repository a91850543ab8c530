package io.millrace.access;

import java.util.Locale;

/** What a route, an opcode or a statement needs. Every door declares one of these together with a {@link Resource}. */
public enum Permission {
    /** Nodes, versions, settings, health details, API descriptions, progress of rebalances. */
    CLUSTER_READ(Coverage.WHOLE),
    /** Settings of the cluster, topology changes, nodes. */
    CLUSTER_MANAGE(Coverage.WHOLE),
    /** Counters and metrics of all services. */
    STATS_READ(Coverage.WHOLE),
    /** Users, API keys and their roles without their keys; the audit trail. */
    SECURITY_READ(Coverage.WHOLE),
    /** Create, change and delete users, API keys and secrets. */
    SECURITY_MANAGE(Coverage.WHOLE),
    /** Entries of MetaKV, except users and secrets. */
    CONFIG_READ(Coverage.WHOLE),
    /** Write entries of MetaKV, except users and secrets. */
    CONFIG_WRITE(Coverage.WHOLE),
    /** What services ask each other. Held by services only, not even by administrators. */
    INTERNAL(Coverage.WHOLE),
    /** See a bucket in lists, select it, read its cluster map and its collections. Any right inside the bucket suffices. */
    BUCKET_ACCESS(Coverage.PART),
    /** Settings and counters of a bucket. */
    BUCKET_READ(Coverage.WHOLE),
    /** Create, change, move, flush and delete a bucket. */
    BUCKET_MANAGE(Coverage.WHOLE),
    /** Create and drop scopes and collections. */
    COLLECTIONS_MANAGE(Coverage.WHOLE),
    /** Read documents, their extended attributes and parts of them. */
    DATA_READ(Coverage.WHOLE),
    /** Create, change and delete documents. */
    DATA_WRITE(Coverage.WHOLE),
    /** Read the change feed. */
    DATA_DCP(Coverage.WHOLE),
    /** SELECT. */
    QUERY_SELECT(Coverage.WHOLE),
    /** INSERT, and the inserting half of UPSERT and MERGE. */
    QUERY_INSERT(Coverage.WHOLE),
    /** UPDATE, and the updating half of UPSERT and MERGE. */
    QUERY_UPDATE(Coverage.WHOLE),
    /** DELETE. */
    QUERY_DELETE(Coverage.WHOLE),
    /** CREATE INDEX, DROP INDEX, BUILD INDEX. */
    QUERY_MANAGE_INDEX(Coverage.WHOLE),
    /** NEXTVAL and PREVVAL of the sequences of a scope. */
    QUERY_USE_SEQUENCES(Coverage.WHOLE),
    /** CREATE, ALTER and DROP SEQUENCE in a scope. */
    QUERY_MANAGE_SEQUENCES(Coverage.WHOLE),
    /** Statements about the system: its catalog, requests of other users, prepared statements. */
    QUERY_SYSTEM(Coverage.WHOLE),
    /** Definitions, logs, counters, dead letters and timers of functions. */
    FUNCTIONS_READ(Coverage.WHOLE),
    /** Save, deploy, pause, undeploy and delete functions; replay and drop dead letters. */
    FUNCTIONS_MANAGE(Coverage.WHOLE),
    /** Call functions over HTTP. */
    FUNCTIONS_EXECUTE(Coverage.WHOLE),
    /** Follow the messages of a topic. */
    TOPICS_READ(Coverage.WHOLE),
    /** Read event streams. */
    STREAMS_READ(Coverage.WHOLE),
    /** Append to event streams. */
    STREAMS_WRITE(Coverage.WHOLE);

    /** How much of the resource a grant must cover. */
    enum Coverage {
        /** All of it. */
        WHOLE,
        /** Any part of it. */
        PART
    }

    private final Coverage coverage;

    Permission(Coverage coverage) {
        this.coverage = coverage;
    }

    Coverage coverage() {
        return coverage;
    }

    /** Returns the name in lower case with dots, for messages and the audit trail: {@code data.read}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}

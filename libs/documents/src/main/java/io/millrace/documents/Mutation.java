package io.millrace.documents;

/**
 * One entry of a change feed: a document as it was when it was read, at the place of its change in the order.
 *
 * @param seqno the place in the shard's order; resume after it
 * @param document the document, or its tombstone. Its seqno is greater than this one when it changed again since;
 *     the feed does not repeat that newer state
 */
public record Mutation(long seqno, Document document) {}

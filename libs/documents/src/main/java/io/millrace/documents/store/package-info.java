/**
 * What all stores share: the catalog entry of a bucket, the checks before a call, feeds that merge shards. Only for stores of
 * this module.
 */
@NullMarked
package io.millrace.documents.store;

import org.jspecify.annotations.NullMarked;

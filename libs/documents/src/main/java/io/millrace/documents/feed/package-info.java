/**
 * What the change feeds of one process share, over any store whose changes are rows in an order. For implementations of the
 * document store; nothing outside of this module depends on it.
 */
@NullMarked
package io.millrace.documents.feed;

import org.jspecify.annotations.NullMarked;

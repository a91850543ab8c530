/**
 * Notifications of changes: the {@link ChangeNotifier} that stores are given, and the one on Redis. For those who open a
 * store.
 */
@NullMarked
package io.millrace.documents.notify;

import org.jspecify.annotations.NullMarked;

/** Reading and writing of dates in three styles of formats, and arithmetic by calendar parts. For functions alone. */
@NullMarked
package io.millrace.n1ql.date;

import org.jspecify.annotations.NullMarked;

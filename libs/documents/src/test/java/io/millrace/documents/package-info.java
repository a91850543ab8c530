/** Contract kits that bind to every document store, and the tests of this library. */
@NullUnmarked
package io.millrace.documents;

import org.jspecify.annotations.NullUnmarked;

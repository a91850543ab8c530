/**
 * Renders the Markdown documents of the repository to static pages with navigation and search. Runs at build time; the
 * gateway has the pages on its class path and none of these classes.
 */
@NullMarked
package io.millrace.docssite;

import org.jspecify.annotations.NullMarked;

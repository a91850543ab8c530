/**
 * Redis for libraries that change several keys in one call: functions of Lua, the link that loads and calls them, what a
 * failure means, and how clients are set up. Knows no other module; modules that keep something in Redis may depend on
 * it.
 */
@NullMarked
package io.millrace.redis;

import org.jspecify.annotations.NullMarked;

/** Tests of who may log in. */
@NullMarked
package io.millrace.subdocservice.users;

import org.jspecify.annotations.NullMarked;

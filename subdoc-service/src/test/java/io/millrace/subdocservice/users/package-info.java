/** Tests of the users and their passwords. */
@NullMarked
package io.millrace.subdocservice.users;

import org.jspecify.annotations.NullMarked;

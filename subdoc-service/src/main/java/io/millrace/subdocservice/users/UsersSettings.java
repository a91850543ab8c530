package io.millrace.subdocservice.users;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The administrator.
 *
 * @param adminName the name of the administrator
 * @param adminPassword the password of the administrator; if it is blank and there are no users, one is generated
 */
@ConfigurationProperties("millrace.users")
record UsersSettings(
        @DefaultValue("Administrator") String adminName,
        @DefaultValue("") String adminPassword) {}

package io.millrace.subdocservice.users;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may do everything.
 *
 * @param adminName the name of the administrator
 * @param adminPassword the administrator's password; when it is blank, one is generated as long as there is no user
 */
@ConfigurationProperties("millrace.users")
record UsersSettings(
        @DefaultValue("Administrator") String adminName,
        @DefaultValue("") String adminPassword) {}

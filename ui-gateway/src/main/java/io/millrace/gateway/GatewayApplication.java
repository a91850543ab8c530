package io.millrace.gateway;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Contact;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.Objects;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/** Starts the gateway. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
class GatewayApplication {

    public static void main(String[] args) {
        SpringApplication.run(GatewayApplication.class, args);
    }

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("Millrace gateway")
                        .version("v1")
                        .description(
                                "Sessions, and functions as zip archives. The documents of the services describe all"
                                        + " other paths.")
                        .contact(new Contact().name("Millrace"))
                        .license(new License().name("Apache-2.0").identifier("Apache-2.0")))
                .addTagsItem(new Tag().name("Sessions").description("The logins of browsers, and who asks"))
                .addTagsItem(new Tag().name("Archives").description("Export and import of functions as zip archives"));
    }

    @Bean
    OpenApiCustomizer problemSchema() {
        return openApi -> {
            Schema<?> problem =
                    Objects.requireNonNull(openApi.getComponents().getSchemas().get("Problem"), "Problem");
            problem.getProperties().remove("members"); // they are members of the problem itself
            problem.setAdditionalProperties(true);
        };
    }
}

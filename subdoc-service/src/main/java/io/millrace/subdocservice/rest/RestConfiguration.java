package io.millrace.subdocservice.rest;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.subdocservice.moves.Moves;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import java.time.InstantSource;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
class RestConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InstantSource clock() {
        return InstantSource.system();
    }

    /** One for all roads in, so that writers of one process wait for each other instead of racing. */
    @Bean
    SubDocumentExecutor subDocumentExecutor(DocumentStore store, InstantSource clock) {
        return new SubDocumentExecutor(store, clock);
    }

    @Bean
    Moves moves(DocumentStore store, RedisAccess redis, InstantSource clock) {
        return new Moves(store, redis::commands, clock);
    }

    @Bean
    Routes routes(DocumentStore store, InstantSource clock, SubDocumentExecutor executor, Moves moves) {
        return new Routes(store, clock, executor, moves);
    }

    @Bean
    RouterFunction<ServerResponse> router(Routes routes) {
        return routes.router();
    }

    @Bean
    OpenApiCustomizer openApiDescription(Routes routes) {
        return api -> OpenApiDescription.describe(api, routes.all());
    }
}

package io.millrace.subdocservice;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts subdoc-service. */
@SpringBootApplication(proxyBeanMethods = false)
public class SubdocService {

    public static void main(String[] args) {
        SpringApplication.run(SubdocService.class, args);
    }
}

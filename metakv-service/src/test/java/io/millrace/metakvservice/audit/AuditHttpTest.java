package io.millrace.metakvservice.audit;

import io.millrace.metakvservice.MemoryStore;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(MemoryStore.class)
class AuditHttpTest extends AuditHttpContract {}

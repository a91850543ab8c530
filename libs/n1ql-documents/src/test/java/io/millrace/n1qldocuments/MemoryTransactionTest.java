package io.millrace.n1qldocuments;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.memory.MemoryDocumentStore;
import java.time.InstantSource;

class MemoryTransactionTest extends TransactionContract {

    @Override
    DocumentStore open() {
        return new MemoryDocumentStore(InstantSource.system());
    }
}

package io.millrace.metakv;

class MemoryMetakvTest extends MetakvContract {

    private final MemoryMetakv metakv = new MemoryMetakv();

    @Override
    protected MetakvClient metakv() {
        return metakv;
    }
}

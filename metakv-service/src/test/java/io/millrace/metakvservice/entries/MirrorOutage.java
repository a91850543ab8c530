package io.millrace.metakvservice.entries;

import org.springframework.context.ApplicationContext;

/** A time in which the mirror of an instance is not up to date, for tests outside this package. */
public final class MirrorOutage implements AutoCloseable {

    private final MirrorFeed feed;

    private MirrorOutage(MirrorFeed feed) {
        this.feed = feed;
    }

    public static MirrorOutage begin(ApplicationContext context) {
        context.getBean(Mirror.class).suspend();
        return new MirrorOutage(context.getBean(MirrorFeed.class));
    }

    @Override
    public void close() {
        feed.rebuild("the test is over");
    }
}

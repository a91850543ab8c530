package io.millrace.subdoc;

/** The contract, with each single request asked as a multi request of one operation. */
class OneSpecMultiTest extends SubdocContract {

    @Override
    protected VectorRunner runner() {
        return new LibraryRunner();
    }

    @Override
    protected Vector framed(Vector vector) {
        return vector.kind() == Request.Kind.SINGLE ? vector.asMulti() : vector;
    }
}

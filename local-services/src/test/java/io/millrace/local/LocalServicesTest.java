package io.millrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocalServicesTest {

    private static final long HEAP_BYTES = 1280L << 20;

    @Test
    void budgetsOfAllServices_areAQuarterOfTheHeapTogether() {
        assertThat(4 * LocalServices.budgetBytes(HEAP_BYTES, 4)).isEqualTo(HEAP_BYTES / 4);
        assertThat(LocalServices.budgetBytes(HEAP_BYTES, 1)).isEqualTo(HEAP_BYTES / 4);
    }
}
